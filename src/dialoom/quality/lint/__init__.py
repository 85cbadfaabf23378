"""Lint: findings in the dialogues of a corpus, with a stable code for each kind.

docs/reference/codes.md lists the codes. A `Rule` is a code with its words (schema/codes.txt); a
`Check` is a function over one dialogue (`LintContext`) for one rule or several. A family of rules
is a module whose functions are registered by the decorator of `rule`.
"""

from dialoom.quality.lint.linter import RULES, Linter, lint, linter_for, seed_of
from dialoom.quality.lint.rule import Finding

__all__ = ["RULES", "Finding", "Linter", "lint", "linter_for", "seed_of"]
