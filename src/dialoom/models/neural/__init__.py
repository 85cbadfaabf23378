"""Models that are trained with torch, some from weights stored on this machine."""
