"""Edits make one text of another, and name the words."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dialoom.collect.kinds.edits import TextEdit, edited, edits

TEXTS = st.one_of(st.text(), st.text(alphabet="ab \n"))


@given(TEXTS, TEXTS)
def test_the_edits_of_a_text_make_the_other_one(before: str, after: str) -> None:
    made = edits(before, after)
    assert edited(before, made) == after
    assert (made == ()) == (before == after)
    for each in made:
        assert before.startswith(each.before, each.at)
        kind = {(False, True): "insert", (True, False): "delete"}
        assert each.op == kind.get((bool(each.before), bool(each.after)), "replace")


def test_words_are_edited_and_not_letters() -> None:
    assert edits("a tabel for two please", "a table for two") == (
        TextEdit("replace", 2, "tabel", "table"),
        TextEdit("delete", 15, " please", ""),
    )
