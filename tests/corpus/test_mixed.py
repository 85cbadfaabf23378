"""Several corpora read as one: what goes by one name in two of them stays apart."""

from __future__ import annotations

from pathlib import Path

from dialoom.corpus import MixedCorpus
from dialoom.corpus.mixed import unmarked
from tests.bench import tiny


def test_later_corpora_get_ids_and_tasks_of_their_own(tmp_path: Path) -> None:
    one, two = tiny.staged(tmp_path / "one"), tiny.staged(tmp_path / "two")
    mixed = MixedCorpus([one, two])
    dialogues = list(mixed.dialogues())
    first, second = dialogues[: len(dialogues) // 2], dialogues[len(dialogues) // 2 :]
    assert first == list(one.dialogues())
    assert [each.id for each in second] == [f"{each.id}@2" for each in first]
    assert mixed.schemas["weather"] is one.schemas["weather"]
    assert mixed.schemas["weather@2"] is two.schemas["weather"]
    for old, new in zip(first, second, strict=True):
        assert old.scenario is not None
        assert new.scenario is not None
        names = [each.task for each in new.scenario.capabilities]
        assert [unmarked(name) for name in names] == [e.task for e in old.scenario.capabilities]
        assert all(name.endswith("@2") for name in names if unmarked(name) in one.schemas)
    assert mixed.digest not in (one.digest, two.digest)
    assert str(tmp_path / "two") in str(mixed.path)
