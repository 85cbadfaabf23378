"""Load for the collection server: people who talk over its wire, and the server killed meanwhile.

python -m tests.soak --cycles 200          kill -9 and faults under load, then what must hold
python -m tests.soak --postgresql          the same on a PostgreSQL server of its own
python -m tests.soak.load --rooms 500      the load alone, with figures as JSON
"""
