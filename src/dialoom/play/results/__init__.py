"""Runs that were played.

run      a run on disk
summary  its figures: success, pass^k, with intervals
failure  why dialogues missed their goals, by class
paired   two runs of the same goals compared
report   a page on a run or two
"""
