"""Task files in YAML: read, checked, made into tasks, and written."""
