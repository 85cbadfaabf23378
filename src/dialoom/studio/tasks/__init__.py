"""The view of task files: edit one with its findings, chart, dialogues and bot.

files      reads and saves task files
checking   findings, chart and names of a text as it is typed
trying     dialogues, the schema doctor, spoken values, a talk, and what a line is understood as
"""

from starlette.routing import Route

from dialoom.serve.responses import Nothing
from dialoom.studio.routes import acts, reads
from dialoom.studio.tasks.checking import check
from dialoom.studio.tasks.files import (
    AskedFile,
    SavedFile,
    grammar,
    read,
    recognise,
    save,
    templates,
)
from dialoom.studio.tasks.message import EditedTask, HeardLine, TaskTalk, Trial, WizardTalk

TRYING = "dialoom.studio.tasks.trying"

ROUTES: list[Route] = [
    reads("/api/tasks/file", AskedFile, read),
    reads("/api/tasks/templates", Nothing, templates),
    reads("/api/tasks/grammar", Nothing, grammar),
    acts("/api/tasks/save", SavedFile, save),
    acts("/api/tasks/check", EditedTask, check),
    acts("/api/tasks/dialogues", Trial, f"{TRYING}:dialogues"),
    acts("/api/tasks/doctor", Trial, f"{TRYING}:diagnose"),
    acts("/api/tasks/values", EditedTask, f"{TRYING}:values"),
    acts("/api/tasks/talk", TaskTalk, f"{TRYING}:talk"),
    acts("/api/tasks/wizard", WizardTalk, "dialoom.studio.tasks.desk:wizard"),
    acts("/api/tasks/hear", HeardLine, f"{TRYING}:hear"),
]

__all__ = ["ROUTES", "recognise"]
