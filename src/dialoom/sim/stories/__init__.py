"""Stories: tasks that belong together, what they share, and what happens between them.

story    a story as a value
grammar  the shape of story files
reading  reads and checks story files and the bundled stories
choosing which tasks come together in one dialogue
shared   the values that the tasks of one dialogue share
"""
