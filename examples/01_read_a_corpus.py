"""Open a corpus, count what it holds, and read one dialogue as a person would.

python examples/01_read_a_corpus.py
"""

from __future__ import annotations

from pathlib import Path

from dialoom import formats
from dialoom.dialogue.transcript import lines
from dialoom.dialogue.views import turns
from dialoom.quality.stats import Statistics
from dialoom.render.transcript import to_text

corpus = formats.load(Path(__file__).with_name("sample"))  # the format is detected
print(f"{corpus.format}: {len(corpus.files)} files, tasks {', '.join(corpus.schemas)}")

counts = Statistics(formats.get(corpus.format).event_name).add_all(corpus.dialogues()).result()
for name in ("dialogues", "utterances", "turns", "user_vocabulary", "domains"):
    print(f"{name:<16} {counts[name]}")

dialogue = next(d for d in corpus.dialogues() if d.id == "9")
print(f"\nDialogue {dialogue.id}, {len(list(turns(dialogue.events)))} turns\n")
print(to_text(lines(dialogue), width=90), end="")
