"""Tests of drawn tasks."""
