"""Requests to participants outside of this process.

metering   what they cost and may cost: requests, tokens, money, time
web        requests over HTTP, made again after what passes
chat       a language model over chat completions
arguments  the arguments of a call, read as constraints
"""
