"""Environments, in which the calls of a task are made.

base       the interface of environments
knowledge  our knowledge base
remote     a server that publishes tools
mcp        an MCP server: a command, or a URL
web        a web hook
opening    the environment that a task names
"""
