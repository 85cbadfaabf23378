"""Agents, which play the system of any task.

base      the interface of agents, and their registry
flow      agents that follow the task's flow: one understands texts, the oracle reads acts
follower  a learnt model picks the next action, the task file has its words
chat      a language model with the task's calls as tools
remote    a command that reads and writes JSON lines, a web hook, Rasa
"""
