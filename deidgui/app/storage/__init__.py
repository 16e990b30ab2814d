"""Files and folders: written whole or not at all, found again, nobody else's."""
