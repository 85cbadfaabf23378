"""Models that realise acts as text (act-to-text generation)."""
