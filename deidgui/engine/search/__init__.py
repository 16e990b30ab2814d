"""Finding policies: the generalization lattice and its exact profile."""
