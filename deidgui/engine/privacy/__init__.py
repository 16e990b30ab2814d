"""Privacy models: one file each, registered here."""
