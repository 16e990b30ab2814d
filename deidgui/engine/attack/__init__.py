"""Simulated attacks on a release, by code that no search uses."""
