"""Corpora in the studio: an index on disk to list and search, dialogues read again when opened.

index     the SQLite file of a corpus, in the user's cache folder
building  fills it, file by file, and renews files that changed
search    lists and searches dialogues
"""
