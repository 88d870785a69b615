"""Figures of a model on private rows with known answers: one noisy table of counts, and what follows from it."""
