"""The ranker of candidates for a bot's next utterance or call (DSTC6 track 1, bAbI dialog tasks).

A line's class is its template with the role of each entity in the dialogue: the best item not yet
offered, the item offered before the last, the one that the user named. A policy over such classes
carries over to other items, values and slots, as the entity features and action masks of hybrid
code networks do (Williams et al. 2017).
"""

from __future__ import annotations

from dialoom.models.ranker.model import Ranker

__all__ = ["Ranker"]
