"""Correct bots that talk in words of their own, and wrong ones: what simulated users must bear.

words.json    for six tasks, four ways to say each reply, none of them in a task file
bots          agents that say them
measure       `python -m tests.play.bots.measure`: their success, next to the task file's words
"""
