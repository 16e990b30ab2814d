"""The page Policies: how to look for policies, what was found, and the choice."""
