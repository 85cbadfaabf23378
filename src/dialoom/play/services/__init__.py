"""Users and systems of services that talk to each other: by rules or learnt, each with each.

goal       what a user wants of a service, and whether a dialogue came to it
annotated  goals of the users of annotated dialogues, and services with what was found there
user       a user who does what a model of next acts chooses
system     a system that does what models of next acts and calls choose
matrix     dialogues of each user with each system, and the share of goals reached
"""
