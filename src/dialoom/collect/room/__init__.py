"""One dialogue under way: what two people are given, may do, and see of each other."""
