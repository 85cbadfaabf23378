"""Users and systems of services (SGD), by rules or learnt, that talk to each other.

goal       a user's goal with a service, and whether a dialogue reached it
annotated  goals taken from annotated dialogues, and services with the results found there
user       a user whose acts a model chooses
system     a system whose acts and calls models choose
matrix     dialogues of each user with each system, and the share of goals reached
"""
