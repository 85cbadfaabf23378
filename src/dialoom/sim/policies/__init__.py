"""Policies decide what comes next in a simulated dialogue: one package each."""
