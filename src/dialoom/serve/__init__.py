"""The collection server: a study (dialoom.collect) on the web."""
