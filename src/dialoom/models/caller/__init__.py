"""Calls of knowledge bases: which parameters a query gives, with which operators and values.

tracked      the baseline: what the slot tracker holds
model        the caller: learnt choice of values and operators
evidence     what a dialogue says for each parameter; guesses: values without a sure sign
features     what speaks for a value of a parameter; table: features as vectors
operators    the operator of a value
"""
