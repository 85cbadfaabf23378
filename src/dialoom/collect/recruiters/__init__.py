"""Adapters of recruiting platforms: worker ids, completion, approval and pay."""
