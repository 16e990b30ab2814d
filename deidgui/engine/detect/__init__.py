"""Which columns identify people, and why."""
