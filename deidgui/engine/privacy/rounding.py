"""How much room comparisons of shares leave for rounding."""

TOLERANCE = 1e-12
"""Keeps 1/5 at or below 0.2 whatever the rounding."""

SLACK = 1e-9
"""Makes bounds weaker than any rounding, which is below 1e-12 here."""
