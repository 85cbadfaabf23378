"""Stored bodies keep the keys that earlier versions wrote."""

from __future__ import annotations

import pytest

from dialoom.collect.log.record import (
    Answered,
    Body,
    Departed,
    Entered,
    Seated,
    Waiting,
    decode_body,
    encode_body,
)


@pytest.mark.parametrize(
    ("stored", "body"),
    [
        (b'{"type":"answered","place":"user","answers":{}}', Answered(role="user", answers={})),
        (b'{"type":"departed","place":"user","cause":"left"}', Departed(role="user", cause="left")),
        (
            b'{"type":"entered","worker":"w","stage":"s","place":"user"}',
            Entered(worker="w", stage="s", role="user"),
        ),
        (b'{"type":"waiting","place":"user"}', Waiting(role="user")),
        (b'{"type":"seated","unit":1,"place":"user"}', Seated(1, "user")),
    ],
)
def test_a_role_is_stored_as_place(stored: bytes, body: Body) -> None:
    assert decode_body(stored) == body
    assert encode_body(body) == stored
