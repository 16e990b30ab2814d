"""Tables of counts: opened, audited, repaired, released."""
