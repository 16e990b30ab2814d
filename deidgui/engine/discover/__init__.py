"""Searches for policies that are no riskier than a baseline."""
