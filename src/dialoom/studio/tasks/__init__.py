"""The view of task files: edit one with its findings, chart, dialogues and bot.

files      reads and saves task files
checking   findings, chart and names of a text as it is typed
trying     dialogues, the schema doctor, spoken values, a talk, and what a line is understood as
"""

from starlette.routing import Route

from dialoom.serve.responses import Nothing
from dialoom.studio.routes import acts, reads
from dialoom.studio.tasks import files
from dialoom.studio.tasks.checking import check
from dialoom.studio.tasks.files import recognise
from dialoom.studio.tasks.message import EditedTask, HeardLine, TaskTalk, Trial, WizardTalk

TRYING = "dialoom.studio.tasks.trying"

ROUTES: list[Route] = [
    reads("/api/tasks/file", files.AskedFile, files.read),
    reads("/api/tasks/templates", Nothing, files.templates),
    reads("/api/tasks/grammar", Nothing, files.grammar),
    acts("/api/tasks/save", files.SavedFile, files.save),
    acts("/api/tasks/check", EditedTask, check),
    acts("/api/tasks/dialogues", Trial, f"{TRYING}:dialogues"),
    acts("/api/tasks/doctor", Trial, f"{TRYING}:diagnose"),
    acts("/api/tasks/values", EditedTask, f"{TRYING}:values"),
    acts("/api/tasks/talk", TaskTalk, f"{TRYING}:talk"),
    acts("/api/tasks/wizard", WizardTalk, "dialoom.studio.tasks.desk:wizard"),
    acts("/api/tasks/hear", HeardLine, f"{TRYING}:hear"),
]

__all__ = ["ROUTES", "recognise"]
