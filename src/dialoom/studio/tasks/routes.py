"""The routes of the view of task files."""

from __future__ import annotations

from starlette.routing import Route

from dialoom.serve.responses import Nothing
from dialoom.studio.routes import acts, reads
from dialoom.studio.tasks.checking import check
from dialoom.studio.tasks.files import AskedFile, SavedFile, grammar, read, save, templates
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
