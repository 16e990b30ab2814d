"""What the context of a release allows, of which columns, and for how long."""
