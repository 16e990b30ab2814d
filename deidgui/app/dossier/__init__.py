"""What an expert signs: entries, signatures, sensitivity, drift, intruder test."""
