"""Matches the values of the data with those of the population."""
