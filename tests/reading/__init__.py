"""Tests of reading: what a turn says, in anybody's words."""
