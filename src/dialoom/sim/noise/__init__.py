"""Noise in dialogues: typos, disfluencies, punctuation, casing, the order of acts.

noise      settings and their application to dialogues; the kinds by name
kind       the interface of a kind of noise; changes to a text, and its spans' new offsets
letters, disfluencies, order      the kinds
speech     a language's keyboard and fillers

The same settings work on simulated dialogues and on a corpus of any format.
"""

from dialoom.sim.noise.noise import AGENTS, KINDS, Noise

__all__ = ["AGENTS", "KINDS", "Noise"]
