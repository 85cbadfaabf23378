"""A data card has its counts filled in, and asks a person for the rest."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
import yaml

from dialoom import formats
from dialoom.corpus import Corpus
from dialoom.corpus.shards import COLLECTED, note
from dialoom.dialogue import Dialogue, Utterance
from dialoom.errors import UsageError
from dialoom.quality.card import PERSON, card, fill
from dialoom.quality.card.measured import ABOUT, block, escape, listed, used
from tests.formats.star_json import DATA
from tests.make import refuses
from tests.quality.published_samples import star_copy

STAR = DATA / "star"


def track(dialogues: Iterator[Dialogue], what: str) -> Iterable[Dialogue]:
    """Show nothing."""
    return dialogues


def native(folder: Path, *dialogues: Dialogue) -> Corpus:
    folder.mkdir()
    formats.get("native").write(dialogues, {}, folder)
    return formats.load(folder)


def test_the_card_of_a_public_corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = card(formats.load(star_copy(tmp_path, monkeypatch)), track, name=None)
    assert "# Dataset card for star\n" in text
    assert "as a copy of star in dialoom's catalogue" in text
    assert "As counted: 3 dialogues" in text
    assert "#### Licence\n\nMIT\n" in text
    assert "```bibtex\n@article{mosig2020star," in text
    assert "| all | 3 | 3 |" in text
    assert "| `dialogue.outcome` | how it ended | 3 |" in text
    assert f"#### Funding\n\n{PERSON} Who paid for it?" in text
    assert not re.search(r"\{\{\w+\}\}", text)
    assert " ?? " not in text


@pytest.mark.parametrize("name", ["star", "sgd", "taskmaster1", "frames", "babi"])
def test_the_layout_alone_claims_nothing(name: str) -> None:
    text = card(formats.load(DATA / name), track, name=None)
    assert f"an unknown corpus in the layout of {name}" in text
    assert f"#### Licence\n\n{PERSON}" in text
    assert f"#### Dataset creators\n\n{PERSON}" in text


def test_a_folder_can_name_itself(tmp_path: Path) -> None:
    copy = star_copy(tmp_path)
    (copy / "README.md").write_text("---\npretty_name: Ferry talks\nlicense: cc0-1.0\n---\n# Hi\n")
    text = card(formats.load(copy), track, name=None)
    assert yaml.safe_load(text.split("---\n")[1])["pretty_name"] == "Ferry talks"
    assert "#### Licence\n\ncc0-1.0\n" in text


def test_names_of_tasks_alone_are_no_evidence(tmp_path: Path) -> None:
    text = card(formats.load(star_copy(tmp_path)), track, name=None)
    assert "catalogue" not in text
    assert f"#### Licence\n\n{PERSON}" in text


def test_the_card_has_what_the_manifest_records(tmp_path: Path) -> None:
    corpus = native(tmp_path / "mine", Dialogue(id="1", events=()))
    study = {"seed": 5, "consent": "You agree.", "pay": {"single": 150}}
    note(tmp_path / "mine", {COLLECTED: study})
    text = card(corpus, track, name=None)
    assert '"seed": 5' in text
    assert "#### Any consent policy?\n\nYou agree.\n" in text
    assert "Pay, in cents: single 150." in text


def test_the_card_of_a_corpus_of_ones_own(tmp_path: Path) -> None:
    turn = Utterance(agent="user", text="Hello ``` there.")
    corpus = native(tmp_path / "mine", Dialogue(id="1", events=(turn,), provenance="collected"))
    text = card(corpus, track, name="Ferry talks: a | corpus")
    assert "# Dataset card for Ferry talks: a | corpus\n" in text
    assert "catalogue" not in text
    assert "By provenance: collected (1)." in text
    assert f"#### Licence\n\n{PERSON}" in text
    assert "````text\n0  user  Hello ``` there.\n````" in text
    head = yaml.safe_load(text.split("---\n")[1])
    assert head["pretty_name"] == "Ferry talks: a | corpus"
    assert head["license"] == "unknown"


def test_an_empty_corpus_has_a_card(tmp_path: Path) -> None:
    assert "0 dialogues" in card(native(tmp_path / "none"), track, name=None)


def test_the_catalogue_can_be_left_out() -> None:
    text = card(formats.load(STAR), track, name="mine", catalogued=False)
    assert "MIT" not in text
    assert "mosig" not in text


def test_a_name_of_the_catalogue_must_fit_the_format() -> None:
    with refuses(UsageError, "other-format", "sgd"):
        card(formats.load(STAR), track, name="sgd")


def test_every_section_of_the_template_is_answered_or_asked() -> None:
    text = fill({})
    sections = re.split(r"^#+ .*$", text, flags=re.MULTILINE)
    headings = re.findall(r"^(#+) (.*)$", text, flags=re.MULTILINE)
    deepest = [
        body
        for (level, _), (following, _), body in zip(
            headings, [*headings[1:], ("#", "")], sections[1:], strict=True
        )
        if len(following) <= len(level)
    ]
    assert len(deepest) > 50
    assert all(body.strip() for body in deepest)


def test_the_fields_that_are_explained_are_fields() -> None:
    assert used(Dialogue(id="1", events=(Utterance(agent="user", text="a"),))) == {
        "dialogue.id",
        "dialogue.provenance",
        "utterance.agent",
        "utterance.text",
    }
    assert all(" " not in name and "." in name for name in ABOUT)


def test_markdown_shows_values_as_they_are() -> None:
    assert escape("a_b*c\n|d<e>") == r"a\_b\*c \|d\<e\>"
    assert listed({"a": 1, "b": 1000}) == "a (1), b (1,000)"
    assert listed({str(n): 1 for n in range(40)}).endswith("and 10 more")
    assert block("```").startswith("````text\n")
