"""The view of task files: edit one with its findings, chart, dialogues and bot.

files      reads and saves task files
checking   findings, chart and names of a text as it is typed
trying     dialogues, the schema doctor, spoken values, a talk, and what a line is understood as
"""

from dialoom.studio.tasks.files import recognise
from dialoom.studio.tasks.routes import ROUTES

__all__ = ["ROUTES", "recognise"]
