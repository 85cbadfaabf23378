"""dialoom weaves task-oriented dialogues out of task schemas, and measures what models learn."""

__version__ = "0.1.0"
