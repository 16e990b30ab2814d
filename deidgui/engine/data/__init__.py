"""Tables, hierarchies and classes of records, and how they are read and written."""
