"""Requests to participants outside of this process.

metering   counts and limits of requests, tokens, money and time
failure    what went wrong, in the words of the server
web        requests over HTTP, repeated after passing failures
chat       a language model over chat completions
arguments  the arguments of a call, read as constraints
"""
