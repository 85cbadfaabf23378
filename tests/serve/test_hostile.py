"""What somebody may send who means ill: nothing of it is carried out, and nobody else is hurt."""

from __future__ import annotations

import json
import socket
from base64 import urlsafe_b64encode
from contextlib import suppress

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from dialoom.collect.message import LONGEST_TEXT
from dialoom.serve.limits import LARGEST
from dialoom.serve.links import BrowserSession, Signer
from tests.serve.page import Page
from tests.serve.play import fill_in, reply
from tests.serve.served import Served

SCRIPT = '<script>alert("x")</script><img src=x onerror=alert(1)>'


def test_a_forged_link_is_refused(study: Served) -> None:
    payload = urlsafe_b64encode(b'["study","wizard","study"]').rstrip(b"=").decode()
    signature = study.link("user").rpartition(".")[2]
    for link in (f"{payload}.{signature}", "x", f"{payload}.", "." * 600, "ü.ü", f"{payload}.ü"):
        answer = httpx.post(f"{study.base}/api/join/{link}", json={})
        assert (answer.status_code, answer.json()["code"]) == (403, "forged")
        assert "set-cookie" not in answer.headers


def test_a_websocket_without_its_cookie_is_refused(study: Served) -> None:
    user = study.page("user")
    [(name, value)] = user.browser.cookies.items()
    payload = urlsafe_b64encode(json.dumps([name, 2]).encode()).rstrip(b"=").decode()
    foreign = Signer(b"another study's secret")
    cookies = [
        {},
        {name: value[:-4] + "AAAA"},
        {name: f"{payload}.{value.rpartition('.')[2]}"},
        {name: foreign.session(BrowserSession(name, user.state["assignment"]))},
        {name: study.signer.session(BrowserSession(name, 99))},
        {name: study.signer.session(BrowserSession("dialoom_other", 1))},
    ]
    for jar in cookies:
        stranger = Page(study.link("user"))
        stranger.browser.cookies.update(jar)
        stranger.connect()
        assert stranger.until_closed() == 4003
        stranger.shut()
    other = Page(study.link("wizard"))  # the cookie of another link
    other.browser.cookies.update(user.browser.cookies)
    other.connect()
    assert other.until_closed() == 4003
    other.shut()
    assert user.do("consent")


def test_a_seat_token_of_somebody_else_closes_the_connection(study: Served) -> None:
    user, wizard = study.pair()
    stranger = study.page("user")
    for token in (user.token, wizard.token, "1.x", "", "9" * 30 + ".x", "-1.x", "²." + "x" * 43):
        stranger.close()
        stranger.connect()
        stranger.send_frame(type="hello", last_seq=0, seat_token=token, generation=None)
        assert stranger.until_closed() == 4403
    assert user.do("say", text="Hello")["type"] == "ack"


@pytest.mark.parametrize(
    "text",
    ["", "nonsense", "[]", "7", '{"type": "ping"}', '{"type": "hello", "room": 2}', "\ud800"],
)
def test_a_first_frame_that_is_no_hello_closes_the_connection(study: Served, text: str) -> None:
    page = study.page("user")
    page.close()
    page.connect()
    assert page.socket is not None
    page.socket.send(text.encode(errors="replace"), text=True)
    assert page.until_closed() == 4000


def test_a_large_frame_closes_the_connection_and_no_other(study: Served) -> None:
    user, wizard = study.pair()
    for size in (LARGEST + 1, 10_000_000):
        assert user.socket is not None
        with suppress(ConnectionClosed):
            user.socket.send("x" * size)
        closed = user.until_closed()  # who is still sending may not hear why
        assert closed in (1009, 1006)
        user.close()
        user.open(fresh=False)
    assert user.do("say", text="x" * 2000)["type"] == "ack"
    wizard.until_turn()


@pytest.mark.parametrize("letter", ["x", "好", "नि", "\U0001f600"])
def test_a_text_has_as_many_characters_in_any_script(study: Served, letter: str) -> None:
    user, wizard = study.pair()
    text = letter * (LONGEST_TEXT // len(letter))
    user.do("say", text=text)  # escaped, as `json.dumps` writes it
    wizard.until_turn()
    assert wizard.said() == [text]
    raw = {"client_msg_id": "c-raw", "type": "say", "body": {"text": text, "reason": text}}
    assert wizard.socket is not None
    wizard.socket.send(json.dumps(raw, ensure_ascii=False))
    assert wizard.answer("c-raw")["type"] == "ack"
    refused = user.ask("say", text=text + letter)
    assert (refused["code"], refused["most"]) == ("too_long", LONGEST_TEXT)
    assert refused["length"] == len(text + letter)


def test_a_frame_takes_any_two_texts() -> None:
    escaped = json.dumps("\U0001f600" * LONGEST_TEXT)
    assert 2 * len(escaped) + 1024 < LARGEST


def test_a_large_body_is_refused(study: Served) -> None:
    answer = httpx.post(
        f"{study.base}/api/join/{study.link().rpartition('/')[2]}", content=b"x" * 10_000_000
    )
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


@pytest.mark.parametrize(
    "message",
    [
        {"type": "say", "body": {"text": "x", "room": 2}},
        {"type": "say", "body": {"text": 7}},
        {"type": "say", "body": {"text": "   "}},
        {"type": "seat", "body": {}},
        {"type": "say"},
        {"type": "say", "body": {"text": "x"}, "room": 2},
        {"type": "say", "body": {"text": "x"}, "client_msg_id": ""},
        {"type": "say", "body": {"text": "x"}, "client_msg_id": "x" * 65},
        {"type": "say", "body": {"text": "x"}, "client_msg_id": 5},
        {"type": 5},
        {"type": "questionnaire", "body": {"answers": {"a": ["yes"]}}},
    ],
)
def test_a_malformed_message_is_refused(study: Served, message: dict[str, object]) -> None:
    user, _ = study.pair()
    user.send_frame(**{"client_msg_id": "c-x", **message})
    refused = user.until(lambda frame: frame["type"] == "refused")
    assert refused["code"] == "malformed", refused
    assert user.do("say", text="Hello")["type"] == "ack"


def test_a_text_that_is_no_utf8_closes_the_connection(
    study: Served, caplog: pytest.LogCaptureFixture
) -> None:
    user, _ = study.pair()
    assert user.socket is not None
    user.socket.send(b'{"type": "ping"\xff}', text=True)
    assert user.until_closed() == 1007
    assert not caplog.records
    user.close()
    user.open(fresh=False)
    assert user.do("say", text="Hello")["type"] == "ack"


def test_a_request_that_is_broken_off_is_no_fault(
    study: Served, caplog: pytest.LogCaptureFixture
) -> None:
    path = f"/api/join/{study.link().rpartition('/')[2]}"
    address = study.base.removeprefix("http://")
    host, _, port = address.rpartition(":")
    head = f"POST {path} HTTP/1.1\r\nHost: {address}\r\nContent-Length: 100\r\n\r\n{{"
    with socket.create_connection((host, int(port))) as connection:
        connection.sendall(head.encode())
    study.page("user")  # by now the other one has been given up
    study.tick()
    assert not caplog.records


@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_what_is_nested_too_deep_is_nothing_to_send_again(study: Served, opening: str) -> None:
    user, wizard = study.pair()
    assert user.socket is not None
    user.socket.send(f'{{"client_msg_id": "deep", "type": "say", "body": {opening * 700}')
    assert user.until_closed() == 4000
    user.close()
    user.open(fresh=False)
    join = f"{study.base}/api/join/{study.link().rpartition('/')[2]}"
    answer = httpx.post(join, content=opening * 700)
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")
    assert user.do("say", text="Hello")["type"] == "ack"
    wizard.until_turn()


def test_what_is_the_others_is_refused(study: Served) -> None:
    user, wizard = study.pair()
    api = wizard.state["room"]["tasks"][0]["forms"][0]["api"]
    for type, body in {
        "ask": {"api": api, "conditions": []},
        "suggest": {"text": "hello"},
        "pick": {"action": "hello"},
        "turn": {"task": "hotel_book"},
        "choose": {"kind": "primary", "item": 0},
    }.items():
        assert user.ask(type, **body)["code"] == "not_yours"
    assert wizard.ask("accomplish")["code"] == "not_yours"
    assert wizard.ask("say", text="Me first")["code"] == "not_your_turn"
    assert user.ask("accomplish")["code"] == "not_yet"
    assert user.ask("consent")["type"] == "refused"
    assert user.kinds() == wizard.kinds() == ["opened"]


def test_script_stays_text(study: Served) -> None:
    user, wizard = study.pair()
    user.do("say", text=SCRIPT)
    wizard.until_turn()
    assert wizard.until_kind("say")["event"]["text"] == SCRIPT
    wizard.do("suggest", text=SCRIPT)
    assert wizard.until_kind("suggest")["event"]["text"] == SCRIPT
    wizard.do("say", text=SCRIPT)
    user.until_kind("say")
    for number in range(4):
        user.do("say", text=SCRIPT)
        wizard.until_turn()
        reply(wizard, number)
        user.until_turn()
    refused = wizard.ask("turn", task=SCRIPT)
    assert refused["type"] == "refused"
    user.do("accomplish")
    fill_in(user, comment=SCRIPT)
    fill_in(wizard, comment=SCRIPT)
    user.until_step("done")
    with study.admin() as admin:
        for path in ("dashboard", "rooms/1"):
            answer = admin.get(f"/api/admin/{path}")
            assert answer.headers["content-type"] == "application/json"
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert SCRIPT in json.dumps(answer.json()).replace('\\"', '"')


def test_script_in_names_and_links_stays_out_of_pages(study: Served) -> None:
    page = study.page("user", worker="<script>", source={"<b>": SCRIPT})
    assert page.state["worker"] == "<script>"
    for path in ("/join/<script>alert(1)</script>", "/pages/<script>", "/charts/<script>.svg"):
        assert "<script>alert" not in httpx.get(study.base + path).text


def test_an_invite_admits_one_browser(study: Served) -> None:
    link = study.invite("user")
    first, second = Page(link), Page(link)
    assert first.join().status_code == 200
    refused = second.join()
    assert (refused.status_code, refused.json()["code"]) == (403, "used")
    assert first.join().json() == {"assignment": 1}, "the browser that has it comes back"
    for page in (first, second):
        page.shut()


def test_looking_at_a_link_changes_nothing(study: Served) -> None:
    link = study.invite("user")
    for _ in range(3):
        httpx.get(link)
        httpx.head(link)
    page = Page(link)
    assert page.join().status_code == 200
    page.shut()


@pytest.mark.parametrize(
    "body",
    [
        {"worker": ""},
        {"worker": "x" * 65},
        {"worker": "a\nb"},
        {"worker": "bot:user:1"},
        {"worker": 7},
        {"source": {"join": "x"}},
        {"source": {"invite": "x"}},
        {"source": {str(n): "x" for n in range(9)}},
        {"source": {"a": "x" * 129}},
        {"source": {"a": 1}},
        {"key": "short"},
        {"stage": "multi"},
        [],
    ],
)
def test_a_wrong_way_of_joining_is_refused(study: Served, body: object) -> None:
    link = study.link().rpartition("/")[2]
    answer = httpx.post(f"{study.base}/api/join/{link}", json=body)
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")


def test_pages_of_other_sites_cannot_act(study: Served) -> None:
    link = study.link().rpartition("/")[2]
    for headers in (
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
    ):
        answer = httpx.post(f"{study.base}/api/join/{link}", json={}, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (403, "cross_origin")
    page = study.page("user")
    page.close()
    with pytest.raises(InvalidStatus):
        page.connect(Origin="https://evil.example")


def test_a_path_leads_nowhere(study: Served) -> None:
    for path in ("../app.py", "..%2fapp.py", "%2e%2e/app.py", "/etc/passwd", "index.html/.."):
        assert httpx.get(f"{study.base}/pages/{path}").status_code == 404


def test_the_interface_is_not_described(study: Served) -> None:
    for path in ("/docs", "/openapi.json", "/redoc"):
        assert httpx.get(study.base + path).status_code == 404


def test_half_of_a_surrogate_pair_is_replaced_and_does_not_stop_the_client(study: Served) -> None:
    user, wizard = study.pair()
    body = r'{"text": "\ud83c\udf70 cut \ud83c, \udf70 and \\ud83c"}'
    assert user.socket is not None
    user.socket.send(f'{{"client_msg_id": "half", "type": "say", "body": {body}}}')
    assert user.until_kind("say")["client_msg_id"] == "half"
    wizard.until_turn()
    assert wizard.said() == ["\U0001f370 cut \ufffd, \ufffd and \\ud83c"]


@pytest.mark.parametrize("client", ["a\0", "a\n"])
def test_an_id_that_no_database_keeps_is_refused(study: Served, client: str) -> None:
    user = study.page("user")
    assert user.ask("consent", client)["code"] == "malformed"
