"""Tests of the flow: the compiled task, and a dialogue's position in it."""
