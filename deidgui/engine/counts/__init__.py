"""Tables of counts: what masked cells give away, how to repair it, and noise."""
