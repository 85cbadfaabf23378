"""Agents: they play the system of any task.

base         what an agent is, and agents by name
flow         follow the task's flow: one hears by the text, the oracle reads the user's acts
follower     a learnt model picks the next action, the task file says it
chat         a language model with the task's calls as tools
remote       a command that reads and writes JSON lines, a web hook, Rasa
task_switch  one agent for each of several tasks, and whom the user is talking to
"""
