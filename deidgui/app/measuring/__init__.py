"""Figures of one policy: risks, quality, what is kept, and how they are stated."""
