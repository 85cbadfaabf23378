"""Checks and counts over corpora: round trips, statistics."""
