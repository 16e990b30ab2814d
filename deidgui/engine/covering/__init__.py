"""What an adversary learns who knows any p of m attributes; covering designs."""
