"""Prediction of knowledge-base calls: parameters with operators and values.

tracked      the baseline: the values of the slot tracker
model        the caller: a learnt choice of values and operators
evidence     candidate values of each parameter, with their sources in the dialogue
guesses      candidate values from phrases and durations
features     features of a candidate value
table        named features as vectors
operators    the learnt choice of a value's operator
"""
