"""The source of policies that are nodes of the generalization lattice."""
