"""The log of a study: what is written, and the database it is written to."""
