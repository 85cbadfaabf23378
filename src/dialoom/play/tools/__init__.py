"""The calls of tasks as tools for agents that run elsewhere.

task_tools  the tools, over seeded databases
mcp         the same over the Model Context Protocol
"""
