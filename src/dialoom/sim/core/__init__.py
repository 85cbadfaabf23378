"""What the simulators share: plans, shards, workers, randomness, surface forms, recording."""
