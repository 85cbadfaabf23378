"""Calls of knowledge bases: which parameters a query gives, with which operators and values.

tracked      the baseline: what the slot tracker holds
"""
