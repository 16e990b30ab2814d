"""The commands of the command line: paths in, JSON values and words out."""
