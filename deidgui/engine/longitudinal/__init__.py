"""People with events: what an adversary knows of some events, and whom it shows."""
