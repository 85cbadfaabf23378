"""Task files in YAML: reading, checking, converting to tasks, and writing."""
