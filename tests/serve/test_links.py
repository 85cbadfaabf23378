"""What is signed is ours, for one purpose each."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom.serve.links import BrowserSession, Link, Signer, cookie_name

SIGNER = Signer(b"s" * 32)
OTHER = Signer(b"t" * 32)


@given(
    st.sampled_from(["study", "invite", "worker"]),
    st.sampled_from(["user", "wizard", None]),
    st.text(max_size=40) | st.text("\U0001f600", min_size=64, max_size=64),
)
def test_a_link_is_read_as_it_was_written(kind: str, role: str | None, nonce: str) -> None:
    link = Link(kind, role, nonce)  # type: ignore[arg-type]
    text = SIGNER.link(link)
    assert SIGNER.read_link(text) == link
    assert OTHER.read_link(text) is None


@given(st.integers(0, 200), st.integers(1, 255))
def test_a_link_with_another_character_is_none(place: int, by: int) -> None:
    text = SIGNER.study_link("user")
    place %= len(text)
    changed = text[:place] + chr((ord(text[place]) + by) % 0x300 or 1) + text[place + 1 :]
    assert changed == text or SIGNER.read_link(changed) is None


@given(st.text(max_size=600))
def test_no_text_is_a_link_by_chance(text: str) -> None:
    assert SIGNER.read_link(text) is None
    assert SIGNER.read_session("dialoom_x", text) is None
    assert not SIGNER.is_seat_token(text, 1, 1)
    assert SIGNER.admin_role(text) is None
    assert not SIGNER.read_admin(text, 0)


def test_study_links_are_the_same_at_every_start_and_invites_are_not() -> None:
    assert SIGNER.study_link("user") == Signer(b"s" * 32).study_link("user")
    assert SIGNER.study_link("user") != SIGNER.study_link("wizard")
    assert SIGNER.invite("user") != SIGNER.invite("user")


def test_a_session_belongs_to_its_cookie() -> None:
    name = cookie_name(SIGNER.study_link("user"))
    text = SIGNER.session(BrowserSession(name, 7))
    assert SIGNER.read_session(name, text) == BrowserSession(name, 7)
    assert SIGNER.read_session(cookie_name("another"), text) is None


def test_nothing_is_taken_for_something_else() -> None:
    link = SIGNER.study_link("user")
    session = SIGNER.session(BrowserSession("dialoom_x", 1))
    admin = SIGNER.admin_session(10)
    assert SIGNER.read_link(session) is SIGNER.read_link(admin) is None
    assert SIGNER.read_session("dialoom_x", link) is None
    assert not SIGNER.read_admin(session, 0)
    assert SIGNER.admin_role(SIGNER.seat_token(1, 1)) is None
    assert not SIGNER.is_seat_token(SIGNER.admin_token(), 1, 1)


@pytest.mark.parametrize(("assignment", "room"), [(2, 1), (1, 2), (11, 1), (1, 11)])
def test_a_seat_token_is_of_one_seat(assignment: int, room: int) -> None:
    token = SIGNER.seat_token(1, 1)
    assert SIGNER.is_seat_token(token, 1, 1)
    assert not SIGNER.is_seat_token(token, assignment, room)


def test_an_admins_session_ends() -> None:
    assert SIGNER.read_admin(SIGNER.admin_session(10), 9)
    assert not SIGNER.read_admin(SIGNER.admin_session(10), 10)
