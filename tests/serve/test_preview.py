"""The files of a preview, without a browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from dialoom.collect.settings import Settings, Stage
from dialoom.serve.preview import preview
from tests.outline import outline


@pytest.mark.parametrize("name", ["../../../out", "a/b", "Talk #1 100%?", "Gespräch", "é" * 64])
def test_names_of_stages_lead_to_no_other_folder_and_to_no_dead_link(
    tmp_path: Path, name: str
) -> None:
    out = tmp_path / "a" / "b" / "preview"
    out.mkdir(parents=True)
    stage = Stage(name=name, kind="self_dialogue", tasks=("coffee_ordering",), least=2)
    pages = preview(Settings(stages=(stage,), scenarios=2), out)
    assert {page.stage for page in pages} == {name}
    files = [page.file for page in pages]
    assert all((out / file).is_file() and file.isascii() for file in files)
    links = outline((out / "index.html").read_text("utf-8")).all("href")
    assert [link for link in links if link and not link.startswith("#")] == files
    assert [path for path in tmp_path.rglob("*") if path.is_file() and path.parent != out] == []


def test_a_study_in_two_languages_is_shown_in_its_own(tmp_path: Path) -> None:
    stages = (Stage(name="talk"), Stage(name="bot", kind="bot", tasks=("wetter",)))
    settings = Settings(tasks=("weather", "wetter"), scenarios=2, stages=stages)
    pages = preview(settings, tmp_path / "preview")
    assert {page.person for page in pages} == {"user", "wizard", "tester"}
