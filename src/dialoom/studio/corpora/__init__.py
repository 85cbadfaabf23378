"""Corpora in the studio: an index on disk to list and search, dialogues read again when opened.

index          the SQLite file of a corpus, in the user's cache folder
building       fills it, file by file, and renews files that changed
indexing       builds indexes in processes of their own
search         lists and searches dialogues
places         reads one dialogue again from its file
dialogue_view  a dialogue as the page shows it
mending        annotations as forms, and the patches that forms make
recognising    the corpora in a folder
routes         the addresses of all this
"""

from dialoom.studio.corpora.recognising import recognise
from dialoom.studio.corpora.routes import ROUTES

__all__ = ["ROUTES", "recognise"]
