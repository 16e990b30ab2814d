"""Quality measures: one file each, registered here."""
