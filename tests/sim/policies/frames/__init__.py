"""Tests of the simulator of trips."""
