"""Distances between two corpora, for instance of simulated dialogues from real ones."""
