"""Noise on counts: rules, tables with noise, uncertainty, attacks and advice."""
