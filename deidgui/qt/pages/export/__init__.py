"""The page Preview and export: the data before and after, and the release."""
