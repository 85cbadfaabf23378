"""Runs in the studio: runs of `dialoom play`, results of `dialoom bench`, studies.

recognising  what in a folder is one of these; the link of the admin of a served study
played       a run of play or two: scores, failures, a dialogue with the changes of the database
results      a result of bench: scores, labels, confusions, wrong answers
making       the run that is made in the folder: its progress, and its end
playing      plays it
"""

from dialoom.studio.runs import making, played, recognising, results
from dialoom.studio.runs.recognising import recognise

ROUTES = [*played.ROUTES, *making.ROUTES, *results.ROUTES, *recognising.ROUTES]

__all__ = ["ROUTES", "recognise"]
