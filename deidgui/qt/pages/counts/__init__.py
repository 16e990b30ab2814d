"""The steps of tables of counts."""
