"""What is known about the population that the records come from."""
