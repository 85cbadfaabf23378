"""The log of a study: its records, the changes that are written, and the database."""
