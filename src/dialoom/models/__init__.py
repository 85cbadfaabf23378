"""Models that answer questions about dialogues."""
