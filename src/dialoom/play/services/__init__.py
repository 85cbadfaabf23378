"""Users and systems of services (SGD), by rules or learnt, that talk to each other.

goals   goals with services, also of annotated dialogues, and whether a dialogue reached one
learnt  a user and a system whose acts and calls models choose
matrix  dialogues of each user with each system, and the share of goals reached
"""
