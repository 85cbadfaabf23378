"""Asking servers over HTTP.

answers      requests, made again after failures that may pass; what answers hold
completions  answers of language models: OpenAI's chat completions, whole or in pieces
"""
