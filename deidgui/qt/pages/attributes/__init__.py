"""The page on which the role of every column is decided."""
