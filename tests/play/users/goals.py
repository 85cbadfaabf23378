"""Goals of tests of users."""

from __future__ import annotations

GOALS = """
task: order_cancel
goals:
  - id: emptied
    values: {order: O4, card: G1}
    state:
      cards: {changed: [[{Card: G1}, {Balance: 0}]], removed: [{Card: G2}]}
      orders: {added: [{Order: O4, Status: pending, Total: 10, Ordered: today - 2}]}
  - id: too-late
    values: {order: O2, card: G1}
    hands_over: true
"""
