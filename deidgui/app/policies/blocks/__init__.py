"""De-identification block by block: a source of policies."""
