"""The page Risk and thresholds: who receives the release, and how safe it must be."""
