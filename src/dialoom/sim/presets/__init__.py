"""Families of simulated dialogues, as `dialoom simulate --preset` names them."""
