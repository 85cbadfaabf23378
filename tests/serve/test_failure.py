"""A store that cannot write: nothing is acknowledged that is not kept, and all goes on after it."""

from __future__ import annotations

import threading
from queue import SimpleQueue
from typing import Any

import httpx
import pytest
from sqlalchemy import Connection

from dialoom.collect.log.change import Change, Code
from dialoom.collect.log.record import unit_stream
from dialoom.collect.log.store import Point, StoreFailed
from dialoom.collect.message import Refused
from tests.collect.log.faults import Faults
from tests.make import refuses
from tests.serve.page import PATIENCE, Page
from tests.serve.served import Served


@pytest.mark.parametrize("fault", ["full_disk", "read_only"])
def test_a_message_that_was_not_written_is_sent_again(study: Served, fault: str) -> None:
    user, wizard = study.pair()
    study.opened.store.reached = Faults(fault, 1)
    page, number = refused(user, wizard)
    welcome = page.until(lambda frame: frame["type"] == "welcome")
    assert welcome["state"]["room"]["your_turn"], "what was not written did not happen"
    assert page.ask("say", f"mine-{number}", text="x" * 2000)["type"] == "ack"
    other = wizard if page is user else user
    other.until_turn()
    while len(other.said()) <= number:
        other.receive()
    assert other.said() == ["x" * 2000] * (number + 1)
    seqs = [record.seq for record in study.opened.store.stream(unit_stream(1))]
    assert seqs == list(range(1, len(seqs) + 1))


def refused(user: Page, wizard: Page) -> tuple[Page, int]:
    """Talk until a message cannot be written; a full disk takes what fits into the last page."""
    for number in range(10):
        page = (user, wizard)[number % 2]
        page.until_turn()
        frame = page.ask("say", f"mine-{number}", text="x" * 2000)
        if frame["type"] == "refused":
            assert frame["code"] == "unavailable"
            return page, number
    raise AssertionError("everything was written")


def test_the_server_says_that_it_cannot_write(
    study: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    user, wizard = study.pair()
    store, well = study.opened.store, threading.Event()
    recover = store.recover

    def recovered() -> None:
        if not well.is_set():
            raise StoreFailed("no space left on device")
        recover()

    monkeypatch.setattr(store, "recover", recovered)
    store.reached = Faults("read_only", 1)
    assert user.ask("say", "mine-1", text="Hello")["code"] == "unavailable"
    health = httpx.get(f"{study.base}/healthz")
    assert (health.status_code, health.json()["status"]) == (503, "failed")
    assert health.json()["what"]
    assert wizard.ask("leave")["code"] == "unavailable"
    newcomer = Page(study.link())
    refused = newcomer.join()
    assert (refused.status_code, refused.json()["code"]) == (503, "unavailable")
    newcomer.shut()
    wizard.drop()
    wizard.connect()
    wizard.send_frame(type="hello", last_seq=0, seat_token=None, generation=None)
    well.set()
    assert wizard.receive()["type"] == "welcome", "the first frame, whoever is welcomed before"
    user.until(lambda frame: frame["type"] == "welcome")
    assert httpx.get(f"{study.base}/healthz").json()["status"] == "ok"
    assert user.ask("say", "mine-1", text="Hello")["type"] == "ack"
    wizard.until_turn()


def test_nobody_is_let_in_before_it_is_written(
    study: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A request that comes twice: the second finds in memory what the first is still writing."""
    gate, queue, act = Held(), SimpleQueue[int | str](), study.hub.act
    study.opened.store.reached = gate

    async def noted(command: Any) -> Any:
        queue.put("asked")
        return await act(command)

    def join() -> None:
        page = Page(study.link(), worker="w-1", key="0123456789abcdef")
        queue.put(page.join().status_code)
        page.shut()

    monkeypatch.setattr(study.hub, "act", noted)
    threads = [threading.Thread(target=join) for _ in range(2)]
    threads[0].start()
    gate.begun.wait()
    threads[1].start()
    before = [queue.get(), queue.get()]
    gate.go.set()
    for thread in threads:
        thread.join()
    assert before == ["asked", "asked"], "neither has an answer"
    assert [queue.get(), queue.get()] == [503, 503]


class Held:
    """Holds the first group up that is to be written, and lets it fail."""

    def __init__(self) -> None:
        self.begun, self.go = threading.Event(), threading.Event()

    def __call__(self, point: Point, connection: Connection | None = None) -> None:
        if point == "before_commit" and not self.begun.is_set():
            self.begun.set()
            self.go.wait()
            raise RuntimeError("the disk is gone")


def test_what_breaks_a_constraint_changes_nothing(study: Served) -> None:
    user, wizard = study.pair()
    study.opened.store.submit(Change((), (Code(code="taken", assignment=1),))).result()
    with refuses(Refused, "internal"):
        run(study, Change((), (Code(code="taken", assignment=2),)))
    user.until(lambda frame: frame["type"] == "welcome")
    user.do("say", text="Hello")
    wizard.until_turn()


def run(study: Served, change: Change) -> None:
    """Carry out a change on the server's own loop."""
    import asyncio

    assert study.hub.loop is not None
    work = study.hub.act(lambda _, now: (None, change))
    asyncio.run_coroutine_threadsafe(work, study.hub.loop).result(PATIENCE)


def test_a_fault_of_ours_is_reported_and_takes_nobody_down(
    study: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    user, _ = study.pair()

    def broken(*_: object) -> Change:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr(study.hub.study, "handle", broken)
        assert user.ask("say", text="Hello")["code"] == "internal"
    assert user.ask("say", text="Hello")["type"] == "ack"
