"""Scores that print the signature which reproduces them."""
