"""Stories: tasks that belong together, what they share, and what happens between them.

story     a story as a value
reading   reads and checks story files and the bundled stories
building  makes them of the values of files, and reports what is named wrongly
shared    the values that the tasks of one dialogue share
"""
