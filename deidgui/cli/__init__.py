"""The command line: the second front end on the same application layer."""
