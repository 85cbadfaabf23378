"""Named experiments, exact enough that two people get the same questions."""
