"""What is done to the table that was read before anything else sees it."""
