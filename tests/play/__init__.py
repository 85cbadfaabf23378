"""Tests of agents and users who talk to each other."""
