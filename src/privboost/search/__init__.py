"""Choosing a learner's settings on private rows, within one budget."""
