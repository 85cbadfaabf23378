"""Serves the bots of an open study to programs: a JSON API, and OpenAI's chat completions."""
