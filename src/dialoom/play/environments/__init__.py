"""Environments, in which the calls of a task are made.

base     the interface of environments, and our knowledge base
remote   a server that publishes tools, such as a web hook
mcp      an MCP server: a command, or a URL
opening  the environment that a task names
"""
