"""The page that shows what was read, and how."""
