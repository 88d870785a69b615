"""Domains learnt from private rows, for a budget: bounds of numbers, lists of categories, labels."""
