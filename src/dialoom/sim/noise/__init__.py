"""Noise in dialogues: typos, disfluencies, punctuation, casing, the order of acts.

noise      settings and their application to dialogues; the kinds by name
kind       what a kind of noise is
typos, disfluencies, punctuation, casing, order      the kinds
edits      changes to a text, and where its spans are afterwards
speech     what a language brings: its keyboard, its fillers

It stands beside the simulator, which makes noisy dialogues with it; the same settings work on a
corpus of any format.
"""

from dialoom.sim.noise.noise import AGENTS, KINDS, Noise

__all__ = ["AGENTS", "KINDS", "Noise"]
