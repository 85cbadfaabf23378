"""Folders of dialogues."""
