"""Simulated attacks: from a project and its policy to shares of successes."""
