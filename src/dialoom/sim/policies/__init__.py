"""Policies decide the next events of a simulated dialogue: one package each."""
