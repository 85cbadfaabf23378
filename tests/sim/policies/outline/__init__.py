"""Tests of the simulator of self-dialogues."""
