from __future__ import annotations

import re
from pathlib import Path

import pytest

from dialoom.schema import pack
from dialoom.schema.findings import CODES, MOST, Finding
from dialoom.schema.pack import starter
from dialoom.schema.yaml.reading import check, check_text
from tests.found import some
from tests.schema.starting import changed, findings, line_of

DOCS = Path(__file__).parents[3] / "docs" / "reference" / "task-file.md"

ONE = {
    "E101": ("    rows: 60", "    row: 60", "did you mean 'rows'"),
    "E102": ("    gives_none: true", "    gives_none: yes", "should be true or false, not text"),
    "E103": ("domain: bicycle", "#", "needs the key 'domain'"),
    "E104": ("type: short text", "type: short txt", "did you mean 'short text'"),
    "E105": (
        "  ask_name:\n",
        "  askName: {system: [A], then: ask_name}\n  ask_name:\n",
        "lower_snake",
    ),
    "E106": ("    rows: 60", "    rows: 600000", "at most 100000"),
    "E107": ('"Did you get an appointment?"', "''", "is empty"),
    "E108": ("aliases: []", "aliases: [a, b, a]", "'a' again"),
    "E201": ("    then: hello", "    then: helo", "did you mean 'hello'"),
    "E202": ("  goodbye:", "  isle: {system: [A], then: goodbye}\n  goodbye:", "leads to 'isle'"),
    "E203": (
        "    system: [Thank you",
        "    then: open_again\n    system: [Thank you",
        "cannot end",
    ),
    "E204": (
        "    then: goodbye\n  goodbye",
        "    then: anything_else\n  goodbye",
        "anything_else, finish",
    ),
    "E205": ("    then: [give_note, no_note]", "    then: no_note", "no answer gives it"),
    "E206": ("then: ask_service", "then: [ask_service, give_day]", "is a user node"),
    "E207": ("result: unavailable", "result: found", "available or unavailable"),
    "E208": ("    then: [free, taken]", "    then: free", "the outcome 'unav"),
    "E209": ("result: unavailable", "result: available", "'free' is for 'available'"),
    "E210": ("    request: Check\n", "", "request: Check"),
    "E211": ("    asks: note", "    asks: note\n    last: check", "needs the key 'reads'"),
    "E212": ("need: optional ", "need: required ", "must be given"),
    "E213": (
        "  offer:\n    system:",
        "  offer:\n    when: day is Monday\n    system:",
        "as the last one",
    ),
    "E214": (
        "    system: [Thank you",
        "    not_understood: 2\n    system: [Thank you",
        "needs the key",
    ),
    "E215": ("then: [accept, refuse]", "confirms: book\n    then: [accept, refuse]", "{summary}"),
    "E301": ("My name is {name}", "My name is {nam}", "did you mean 'name'"),
    "E302": ("Hello, this is the workshop", "Hello, {Mechanic} speaking", "no call on the way"),
    "E303": (
        "  name:\n",
        "  hue: {type: boolean, description: x}\n  name:\n",
        "nobody asks for 'hue'",
    ),
    "E304": ("forget: time ", "forget: tim ", "did you mean 'time'"),
    "E305": ("    from: 09:00", "    from: 18:00", "18:00 is above 16:30"),
    "E306": ("need: optional ", "need: {unless: note} ", "note unless note"),
    "E307": ("[brakes, a brake job]", "[brakes, a puncture]", "'new brakes' and 'flat tyre'"),
    "E308": ("{Message: Free}", "{Message: Fre}", "did you mean 'Free'"),
    "E309": ("Then I'll leave it.", "Then another day!", "the same answer to the same"),
    "E310": ("    asks: note", "    asks: note\n    when: name is at least 3", "have an order"),
    "E401": ("table: appointments", "table: appointment", "did you mean 'appointments'"),
    "E402": ("call: repair_book", "call: repair", "did you mean 'repair_book'"),
    "E403": ("key: [Day, Time]", "key: [Day, Tme]", "did you mean 'Time'"),
    "E404": ("{slot: service, required: true}", "{required: true}", "keys 'slot' or 'type'"),
    "E405": (
        "      RequestType",
        "      Hue: {slot: hue, required: true}\n      RequestType",
        "'hue' is never known",
    ),
    "E406": ("Service: {slot: service}", "Service: {slot: name}", "let them be the same"),
    "E407": (
        "    request: Check\n",
        "    request: Check\n    another: Day\n",
        "brings one row only",
    ),
    "E408": ("    effect: book ", "    sets: {Day: 1 + 1}\n    effect: book ", "is no value of"),
    "W201": ("      - Then I'll leave it.\n", "", "4 templates are few"),
    "W202": ('["May I have your name?"]', "[A b?, C d?, E f?, G h?]", "at most 3"),
    "W203": ("[No thanks., \"That's all", "[Well, no thanks., \"That's all", "the rest of 'Well'"),
    "I301": (
        "    system: [Thank you and",
        "    drafted: true\n    system: [Thank you and",
        "goodbye is a draft",
    ),
    "W301": ("Sorry, somebody was faster and the", "What should we do for you?", ""),
    "W302": ("new brakes: [brakes, a brake job]", "NewBrakes: []", "add a spoken variant"),
    "W303": ('["What should we do for you?"]', "['You come on {day}?']", "without day"),
    "W401": (
        "\napis: ",
        "\napis:\n  other: {effect: search, table: appointments, inputs: {}}\n#",
        "",
    ),
    "W402": (
        "tables: ",
        "tables:\n  other: {rows: 1, columns: {A: {slot: day}}}\n#",
        "no API uses",
    ),
    "W403": ("", "", ""),
}
"""Code to a mistake that shows it: the text it replaces, the text itself, part of the message."""

ALSO = {
    "E203": [("  goodbye:", "  open_again: {system: [A], then: hello}\n  goodbye:")],
    "E405": [
        ("  name:\n", "  hue: {type: boolean, description: x}\n  name:\n"),
        ("    user: [No thanks.", "    user: ['{hue}', No thanks."),
    ],
    "W301": [(" booking failed.", "")],
    "W403": [
        ("  name:\n", "  hue: {type: boolean, description: x}\n  name:\n"),
        ("    user: [No thanks.", "    user: ['{hue}', No thanks."),
    ],
}


@pytest.mark.parametrize("code", ONE)
def test_each_code_is_found_alone(code: str) -> None:
    old, new, message = ONE[code]
    problems = findings((old, new), *ALSO.get(code, ()))
    assert {finding.code for finding in problems} == {code}, [str(finding) for finding in problems]
    assert all(message in finding.message for finding in problems)


def test_every_code_has_a_mistake_that_shows_it() -> None:
    of_stories = "E109"  # tests/sim/stories/test_story_files.py
    assert CODES.keys() == {*ONE, "E100", of_stories}


def test_an_unknown_language_is_one_mistake_where_values_are_summed_up() -> None:
    text = (Path(pack.__file__).parents[1] / "tasks" / "apartment_schedule.yaml").read_text()
    problems = check_text(text.replace("language: en", "language: tlh"))
    assert [finding.code for finding in problems] == ["E104"]


def test_the_starter_has_no_finding() -> None:
    assert findings() == []


def test_five_mistakes_give_five_findings_at_their_lines() -> None:
    mistakes = {
        "E201": ("    then: ask_service", "    then: ask_srvice"),
        "E301": ("I could come on {day}", "I could come on {dya}"),
        "E303": (
            "  name:\n",
            "  colour: {type: short text, description: x, examples: [red]}\n  name:\n",
        ),
        "E404": ("Service: {slot: service, required: true}", "Service: {required: true}"),
        "E305": ("    to: 16:30", "    to: 08:00"),
    }
    text = changed(*mistakes.values())
    problems = check_text(text, "pizza.yaml")
    lines = {
        "E201": line_of(text, "ask_srvice"),
        "E301": line_of(text, "{dya}"),
        "E303": line_of(text, "colour:"),
        "E404": line_of(text, "Service: {required"),
        "E305": line_of(text, "from: 09:00"),
    }
    assert {finding.code: finding.line for finding in problems} == lines
    assert len(problems) == 5


def test_an_edge_to_nowhere_is_one_mistake_wherever_it_is() -> None:
    text = starter("pizza_order")
    for match in some(re.finditer(r"    then: (\w+)\n", text)):
        wrong = text[: match.start(1)] + "xyzzy" + text[match.end(1) :]
        problems = check_text(wrong, "t")
        assert [finding.code for finding in problems] == ["E201"], match[0]


def test_findings_say_where_in_the_file_and_in_the_value() -> None:
    [error] = findings(("My name is {name}", "My name is {nam}"))
    assert error.pointer == "/flow/give_name/user/2"
    assert error.severity == "error"
    assert str(error).startswith(f"pizza.yaml:{error.line}:{error.column}: E301 {{nam}} is no slot")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("    from: 09:00", "    from: 25:00", "should be a time from 00:00 to 23:59"),
        ("    rows: 60", "    rows: 9007199254740993", "at most 15 digits"),
        ("    rows: 60", "    rows: 1e400", "at most 15 digits"),
    ],
)
def test_messages_name_the_limit(old: str, new: str, message: str) -> None:
    assert message in str(findings((old, new))[0])


def test_a_file_beyond_help_is_cut_off() -> None:
    problems = check_text("\n".join(f"task{n}: 1" for n in range(5000)), "t")
    assert len(problems) == MOST + 1
    assert "E100" in {finding.code for finding in problems}


@pytest.mark.parametrize(
    "text", ["a", "3", "[a]", "{}", "flow: []", "flow: {a: {}}", "slots: {a: 1}"]
)
def test_any_value_can_be_checked(text: str) -> None:
    assert check_text(text, "t")


def test_a_value_of_any_kind_in_any_place_can_be_checked() -> None:
    text = starter("pizza_order")
    for match in re.finditer(r"^( +)(\w+):.*\n", text, re.MULTILINE):
        for value in ("3", "[[x]]", "{a: {b: c}}", "null", "no", "'{'"):
            line = f"{match[1]}{match[2]}: {value}\n"
            rest = text[match.end() :]
            if rest.startswith(match[1] + " "):  # the value goes on below: take that away as well
                rest = re.sub(rf"\A(?:{match[1]} .*\n|\n)+", "", rest)
            check_text(text[: match.start()] + line + rest, "t")


def test_a_loop_that_is_read_out_needs_its_parts() -> None:
    codes = [f.code for f in findings(("    asks: note", "    reads: Steps\n    asks: note"))]
    assert codes == ["E211", "E211"]


def test_check_reads_a_file(tmp_path: Path) -> None:
    file = tmp_path / "t.yaml"
    file.write_text(changed(("domain: bicycle", "domian: bicycle")))
    [finding] = check(file)
    assert isinstance(finding, Finding)
    assert (finding.file, finding.line) == (str(file), line_of(file.read_text(), "domian"))


def test_the_docs_list_every_code() -> None:
    rows = dict(re.findall(r"^\| ([EWI]\d+) \| (.*) \|$", DOCS.read_text(), re.MULTILINE))
    assert rows == CODES


def test_the_example_in_the_docs_passes() -> None:
    match = re.search(r"```yaml\n(.*?)```", DOCS.read_text(), re.DOTALL)
    assert match is not None
    assert check_text(match[1], "docs") == []


TWO = """
task: boats
domain: boats
language: en
description: Hire a boat.
slots:
  pier: {type: short text, description: pier, examples: [north]}
  day: {type: short text, description: day, examples: [Monday]}
flow:
  open: {user: [A boat., Boat!, Hi., Hello., I want a boat.], then: ask}
  ask: {system: ["Where and when?"], asks: [pier, day], then: say}
  say: {user: [ANSWERS], then: done}
  done: {system: ["{pier} on {day}."]}
"""


SOME = '"{pier}.", "{day}.", "At {pier}.", "On {day}.", "{day}!"'


def test_slots_are_sure_after_a_question_if_one_answer_gives_all() -> None:
    text = TWO.replace("ANSWERS", SOME)
    assert [found.code for found in check_text(text)] == ["W303"]
    assert not check_text(TWO.replace("ANSWERS", SOME.replace("{pier}.", "{pier}, {day}.", 1)))


def test_an_answer_that_gives_nothing_asked_is_none() -> None:
    shrug = "  shrug: {user: [Well., Hm., Er., Oh., So.], then: done}\n"
    text = TWO.replace("then: say}", "then: [say, shrug]}").replace("  done:", f"{shrug}  done:")
    assert not check_text(text.replace("ANSWERS", SOME.replace("{pier}.", "{pier}, {day}.", 1)))
