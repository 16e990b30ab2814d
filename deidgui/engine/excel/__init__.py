"""Reads and writes spreadsheets; knows nothing of what their cells mean."""
