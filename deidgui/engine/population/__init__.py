"""How many people share the quasi-identifiers of a record, and who counted them?"""
