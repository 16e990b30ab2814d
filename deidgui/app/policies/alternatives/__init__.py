"""Policies that join neighbouring values and are no riskier than a baseline."""
