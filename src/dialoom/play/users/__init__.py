"""Users: they want something of the agent.

base       what a user is, and users by name
goals      goals that are given instead of drawn: in files, or of recorded dialogues
simulated  users simulated by the flow of the task
replay     the user side of recorded dialogues, said again
chat       a language model that is told the goal
"""
