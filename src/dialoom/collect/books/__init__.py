"""What follows from a study's log: workers' ways, submissions, pay, and what is on offer."""
