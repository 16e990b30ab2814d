"""Evidence of releases: written, read back and verified."""
