"""What a reader of published tables can infer of every masked count, and why."""
