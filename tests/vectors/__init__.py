"""Published games with verified results (schema in SCHEMA.md, the source in each file) and their definitions here."""
