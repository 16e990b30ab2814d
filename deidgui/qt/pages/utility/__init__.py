"""The page Risk and utility: the input and its release side by side."""
