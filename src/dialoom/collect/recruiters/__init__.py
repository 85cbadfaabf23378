"""Platforms that people are recruited on: how they come, go back, and are paid there."""
