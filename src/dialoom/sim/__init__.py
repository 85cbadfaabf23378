"""Simulated dialogues from task schemas alone."""
