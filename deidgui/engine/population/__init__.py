"""Populations: people by quasi-identifiers, and how they were counted."""
