"""DSTC6 track 1 (Boureau et al. 2017): ranking the candidates for a bot's next turn."""
