"""Item models: how results of the application layer are shown in tables."""
