"""Shared parts of the simulators: plans, shards, workers, randomness, surface forms, recording."""
