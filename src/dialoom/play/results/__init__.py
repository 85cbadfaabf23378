"""Finished runs.

run      a run on disk
summary  its figures: success, pass^k, with intervals
failure  classes of failures of dialogues that missed their goals
paired   the comparison of two runs of the same goals
report   an HTML page on one run or two
"""
