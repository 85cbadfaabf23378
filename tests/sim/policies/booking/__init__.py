"""Tests of the simulator of bookings."""
