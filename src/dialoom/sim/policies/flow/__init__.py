"""Users and systems that follow the flow of a task."""
