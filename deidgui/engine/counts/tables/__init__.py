"""Tables of counts as they are read or made, and how their counts hang together."""
