"""The page of findings: complete, escaped, and nothing loaded from elsewhere."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import msgspec

from dialoom.dialogue import Dialogue, Utterance
from dialoom.quality.lint import Finding, Linter
from dialoom.quality.lint.page import Examples, page
from tests.quality.lint_faults import BAD
from tests.quality.lint_sample import GOOD, TASKS, change

EVIL = "<script>alert('1')</script> & \x1b[31m\u202e"


class Tags(HTMLParser):
    """Collects the tags of a page, and sees that they are closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.links: list[str] = []
        self.ids: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        fields = dict(attrs)
        self.links += [value for name, value in attrs if name in ("href", "src") and value]
        self.ids += [str(fields["id"])] if "id" in fields else []
        if tag not in ("meta", "br", "wbr", "link"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self.open and self.open[-1] == tag:
            self.open.pop()


def made(*dialogues: Dialogue, most: int = 5) -> str:
    linter, examples = Linter(TASKS), Examples(most)
    for dialogue in dialogues:
        for finding in linter.check(dialogue, "here.jsonl"):
            examples.add(finding, dialogue)
    return page("a corpus", linter, examples)


def test_all_codes_have_their_examples() -> None:
    faulty = [dialogue for dialogues in BAD.values() for dialogue in dialogues]
    html = made(*faulty)
    tags = Tags(html)
    assert not tags.open
    assert len(set(tags.ids)) == len(tags.ids)
    codes = set(re.findall(r'href="#([EWI][0-9]{3})"', html))
    assert {"E501", "E502", "W703", "E804"} <= codes
    assert {link.removeprefix("#") for link in tags.links} <= set(tags.ids)
    assert tags.seen.count("details") == len(codes)


def test_only_the_first_examples_are_shown_and_all_are_counted() -> None:
    quiet = change(GOOD, 8, text="")
    silent = [msgspec.structs.replace(quiet, id=str(number)) for number in range(7)]
    html = made(*silent, most=2)
    assert html.count("<article>") == 2
    assert "an utterance has words; the first 2 are shown" in html
    assert '<td class="number">7</td><td class="number">7</td>' in html


def test_a_finding_is_shown_between_its_utterances() -> None:
    html = made(change(GOOD, 8, text=""))
    assert "Shall I note it?" in html
    assert "the user says nothing; an utterance has words" in html
    assert "Hello, the Heron" not in html  # further away


def test_nothing_runs_and_nothing_is_loaded() -> None:
    evil = Utterance(agent=EVIL, text=EVIL + "\x00")
    html = made(Dialogue(id=EVIL, events=(evil, Utterance(agent="user", text=""))))
    tags = Tags(html)
    assert not {"script", "img", "link", "iframe"} & set(tags.seen)
    assert "\x1b" not in html
    assert "&lt;script&gt;" in html
    assert all(link.startswith("#") for link in tags.links)
    assert "default-src 'none'" in html


def test_a_page_without_findings() -> None:
    html = made(GOOD)
    assert "Nothing was found." in html
    assert not Tags(html).open


def test_a_finding_as_a_line_has_the_places_that_there_are() -> None:
    def line(dialogue: str, pointer: str) -> str:
        return str(
            Finding(
                code="E001",
                severity="error",
                file="f",
                pointer=pointer,
                message="bad",
                dialogue=dialogue,
            )
        )

    assert line("d", "/0") == "f: dialogue d/0: E001 bad"
    assert line("", "/0") == "f: /0: E001 bad"
    assert line("", "") == "f: E001 bad"
