"""What a release does to each value, whatever found it."""
