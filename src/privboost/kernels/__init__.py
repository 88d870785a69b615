"""Compiled loops over rows and cells: arrays in, arrays out, no noise; each has a naive twin in the tests."""
