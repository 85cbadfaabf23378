"""Requests to servers and language models.

failure      requests made again after failures that may pass; errors in the words of the server
settings     what requests have besides their message: temperature, headers, key
metering     counts and limits of requests, tokens, money and time
web          requests over HTTP, repeated after passing failures
completions  answers of language models: OpenAI's chat completions, whole or in pieces
chat         a language model over chat completions
local        a language model of a local folder
"""
