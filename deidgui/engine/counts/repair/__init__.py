"""What to hide so that no masked count can be inferred."""
