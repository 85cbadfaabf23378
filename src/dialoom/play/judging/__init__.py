"""Judging a dialogue by rule.

target   what it is to come to: how the database is to stand, what is to be told
verdict  what it came to
"""
