"""Shared parts of formats: codecs that keep unknown keys, files of many dialogues, loss reports."""
