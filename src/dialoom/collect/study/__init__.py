"""A study: its state as the log gives it, pairing, timeouts, payment; its pages and dashboard."""
