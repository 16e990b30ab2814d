"""How risk falls when only a sample of the people is released."""
