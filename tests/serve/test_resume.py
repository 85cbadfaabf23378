"""Connections that break, tabs that are opened twice, and messages that are sent again."""

from __future__ import annotations

import json

from tests.serve.play import whole
from tests.serve.served import Served


def test_a_page_that_comes_back_gets_what_it_lacks(study: Served) -> None:
    user, wizard = study.pair()
    user.do("say", text="Hello")
    wizard.until_turn()
    user.until_kind("say")
    user.drop()
    wizard.do("say", text="Good evening")
    offset = len(user.frames)
    user.open(fresh=False)
    message = user.until(lambda frame: frame["type"] == "event")
    assert message["event"] == {"kind": "say", "from": "wizard", "text": "Good evening"}
    again = [frame["seq"] for frame in user.frames[offset:] if frame["type"] == "event"]
    assert again == [max(user.events)]
    whole(user, wizard)


def test_a_page_that_is_reloaded_gets_everything(study: Served) -> None:
    user, wizard = study.pair()
    user.do("say", text="Hello")
    wizard.until_turn()
    wizard.do("say", text="Good evening")
    user.until_turn()
    user.until_kind("say")
    before = dict(user.events)
    user.close()
    user.open()
    user.until_kind("say")
    assert user.events == before


def test_a_message_sent_again_is_acknowledged_and_not_done_again(study: Served) -> None:
    user, wizard = study.pair()
    first = user.ask("say", "mine-1", text="Hello")
    again = user.ask("say", "mine-1", text="Hello")
    assert first["type"] == again["type"] == "ack"
    user.drop()
    user.open(fresh=False)
    assert user.ask("say", "mine-1", text="Hello")["type"] == "ack"
    wizard.until_turn()
    wizard.until_kind("say")
    assert wizard.said() == ["Hello"]


def test_half_a_message_is_none(study: Served) -> None:
    user, wizard = study.pair()
    assert user.socket is not None
    frame = {"client_msg_id": "mine-1", "base_seq": 1, "type": "say", "body": {"text": "Hello"}}
    payload = json.dumps(frame).encode()
    whole = bytes((0x81, 0x80 | len(payload))) + bytes(4) + payload  # masked with zeros
    user.socket.socket.sendall(whole[: len(whole) // 2])
    user.drop()
    wizard.until(lambda frame: frame["type"] == "presence")
    user.open(fresh=False)
    assert user.state["room"]["your_turn"]
    assert user.ask("say", "mine-1", text="Hello")["type"] == "ack"
    wizard.until_turn()
    wizard.until_kind("say")
    assert wizard.said() == ["Hello"]


def test_an_event_shows_its_author_which_message_made_it(study: Served) -> None:
    user, wizard = study.pair()
    user.ask("say", "mine-1", text="Hello")
    assert user.until_kind("say")["client_msg_id"] == "mine-1"
    assert "client_msg_id" not in wizard.until_kind("say")
    user.drop()
    user.open()
    assert user.until_kind("say")["client_msg_id"] == "mine-1"


def test_a_second_tab_takes_the_seat_over(study: Served) -> None:
    user, wizard = study.pair()
    second = study.page("user")  # other browser: nothing happens
    assert second.state["assignment"] != user.state["assignment"]
    tab = type(user)(user.link)
    tab.browser.cookies.update(user.browser.cookies)
    study.pages.append(tab)
    tab.open()
    assert tab.state["assignment"] == user.state["assignment"]
    user.until(lambda frame: frame["type"] == "taken_over")
    assert user.until_closed() == 4001
    tab.do("say", text="From the second tab")
    wizard.until_turn()
    user.close()
    user.connect()
    user.send_frame(type="hello", last_seq=0, seat_token=user.token, generation=1)
    user.until(lambda frame: frame["type"] == "taken_over")
    assert user.until_closed() == 4001
    user.open()  # it may take the seat back
    user.until_kind("say")
    tab.until(lambda frame: frame["type"] == "taken_over")


def test_the_partner_sees_who_is_away_until_when(study: Served) -> None:
    user, wizard = study.pair()
    user.drop()
    away = wizard.until(lambda frame: frame["type"] == "presence")
    assert away["partner"] == "away"
    assert away["until"] > wizard.frames[-1].get("now", 0)
    assert wizard.state["room"]["partner"] == "away"
    user.open(fresh=False)
    here = wizard.until(lambda frame: frame["type"] == "presence")
    assert here == {"type": "presence", "partner": "here", "until": None}


def test_who_stays_away_loses_the_seat(study: Served) -> None:
    user, wizard = study.pair()
    user.do("say", text="Hello")
    user.drop()
    wizard.until(lambda frame: frame["type"] == "presence")
    for _ in range(4):
        study.tick(20)
    assert wizard.until_step("waiting")["waiting"]["first"]
    user.open(fresh=False)
    assert user.state["done"]["outcome"] == "lost"


def test_a_server_that_was_asleep_gives_nobody_up(study: Served) -> None:
    user, wizard = study.pair()
    user.drop()
    wizard.until(lambda frame: frame["type"] == "presence")
    study.tick()
    study.clock.sleep(3600)
    study.tick()
    user.open(fresh=False)
    user.do("say", text="Hello")
    assert wizard.until_turn()["room"]["partner"] == "here"


def test_a_token_of_a_former_room_means_all_of_this_one(study: Served) -> None:
    user, wizard = study.pair()
    user.do("say", text="Hello")
    token = wizard.token
    wizard.until_kind("say")
    user.do("leave")
    wizard.until_step("waiting")
    study.page("user").wait()
    wizard.until_step("room")
    wizard.drop()
    wizard.connect()
    wizard.send_frame(type="hello", last_seq=2, seat_token=token, generation=wizard.generation)
    wizard.events = {}
    assert wizard.until_kind("opened")["seq"] == 1


def test_the_answer_to_joining_may_get_lost(study: Served) -> None:
    page = study.page("user", worker="w-1", key="0123456789abcdef")
    browser = type(page)(page.link)
    again = browser.join(worker="w-1", key="0123456789abcdef")
    assert again.json() == {"assignment": page.state["assignment"]}
    other = browser.join(worker="w-1", key="fedcba9876543210")
    assert other.json() == {"assignment": page.state["assignment"]}, "the cookie is there now"
    browser.browser.cookies.clear()
    refused = browser.join(worker="w-1", key="fedcba9876543210")
    assert (refused.status_code, refused.json()["code"]) == (403, "proof_wanted")
    browser.shut()


def test_messages_need_not_wait_for_one_another(study: Served) -> None:
    user, wizard = study.pair()
    user.do("say", text="Hello")
    wizard.until_turn()
    sent = [
        wizard.post("suggest", text="hello"),
        wizard.post("choose", kind="primary", item=99),
        wizard.post("say", text="Good evening"),
    ]
    answers = [wizard.answer(client)["type"] for client in sent]
    assert answers == ["ack", "refused", "ack"], "in the order of the messages"
    wizard.until_kind("say")
    assert user.until_turn()
