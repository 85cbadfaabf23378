"""Serves an agent on a web page, where people talk with it and rate it (`dialoom serve`)."""
