"""Policies from every source: searching, listing, comparing and describing them."""
