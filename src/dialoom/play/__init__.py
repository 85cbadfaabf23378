"""Any agent against any user on any task file, judged by the database."""
