"""Reads utterances of either speaker, given the schemas and the dialogue so far."""
