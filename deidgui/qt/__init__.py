"""The window: thin views on the application layer."""
