"""The page Hierarchies: how each quasi-identifier can be generalized."""
