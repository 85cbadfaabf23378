"""Who sends too much is refused, and then disconnected; nobody else is."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from dialoom.serve import limits
from dialoom.serve.limits import Bucket, Buckets, Limits, Rate
from tests.serve.conftest import SINGLE
from tests.serve.page import Page
from tests.serve.served import served


def test_a_bucket_gives_a_burst_and_then_its_rate() -> None:
    bucket = Bucket(Rate(10.0, 3.0))
    assert [bucket.take(0) for _ in range(3)] == [0.0, 0.0, 0.0]
    assert bucket.take(0) == pytest.approx(0.1)
    assert bucket.take(100) == 0.0
    assert bucket.take(100) == pytest.approx(0.1)
    assert bucket.take(50) > 0, "a clock that goes back gives nothing"
    assert [bucket.take(100_000) for _ in range(4)][:3] == [0.0, 0.0, 0.0]


def test_hosts_have_buckets_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "REMEMBERED", 2)
    buckets = Buckets(Rate(1.0, 1.0))
    assert buckets.take("a", 0) == 0.0
    assert buckets.take("a", 0) > 0.0
    assert buckets.take("b", 0) == 0.0
    assert buckets.take("c", 0) == 0.0, "a is forgotten"
    assert buckets.take("a", 0) == 0.0


def test_messages_over_the_rate_are_refused(tmp_path: Path) -> None:
    few = Limits(messages=Rate(0.001, 3.0), joins=Rate(100.0, 100.0))
    with served(tmp_path / "study.sqlite", SINGLE, few) as study:
        page = study.page("user")
        for _ in range(3):
            page.send_frame(type="ping")
            page.until(lambda frame: frame["type"] == "pong")
        refused = page.ask("consent")
        assert refused["code"] == "slow_down"
        assert refused["retry_after"] > 0
        for _ in range(99):
            page.send_frame(type="ping")
        assert page.until_closed() == 4008


def test_joins_over_the_rate_are_refused(tmp_path: Path) -> None:
    few = Limits(joins=Rate(0.001, 2.0))
    with served(tmp_path / "study.sqlite", SINGLE, few) as study:
        page = Page(study.link())
        assert [page.join().status_code for _ in range(3)] == [200, 200, 429]
        assert page.join().json()["retry_after"] > 0
        assert int(page.join().headers["retry-after"]) > 0
        page.shut()


def test_guessing_the_admins_token_is_slow(tmp_path: Path) -> None:
    with served(tmp_path / "study.sqlite", SINGLE, Limits()) as study:
        url = f"{study.base}/api/admin/login"
        codes = [httpx.post(url, json={"token": "guess"}).status_code for _ in range(6)]
        assert codes == [401] * 5 + [429]
        right = httpx.post(url, json={"token": study.signer.admin_token()})
        assert right.status_code == 429


def test_a_client_that_does_not_read_is_disconnected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dialoom.serve.connection.QUEUED", 0)
    with served(tmp_path / "study.sqlite", SINGLE) as study:
        page = Page(study.link())
        page.join()
        page.connect()
        page.send_frame(type="hello")
        assert page.until_closed() == 1013
        page.shut()
