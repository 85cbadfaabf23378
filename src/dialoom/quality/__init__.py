"""Checks and counts over corpora: lint, statistics, distances, data cards, the schema doctor."""
