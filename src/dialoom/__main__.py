"""`python -m dialoom`: the command line, where no script of it is on the path."""

from __future__ import annotations

from dialoom.cli import main

if __name__ == "__main__":
    main()
