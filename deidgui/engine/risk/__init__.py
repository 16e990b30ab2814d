"""Re-identification risk of classes of records."""
