"""Release folders: written, read back and measured again."""
