"""What an adversary learns who knows any few of the quasi-identifiers."""
