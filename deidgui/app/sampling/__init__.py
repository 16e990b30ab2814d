"""How small a sample to release: curves of risk, a plan, and the sample itself."""
