"""Only a proxy that is named is believed about who asks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.requests import Request

from dialoom.errors import UsageError
from dialoom.serve.limits import Limits, Rate
from dialoom.serve.responses import host
from dialoom.serve.server import proxies
from tests.cli.runner import Run
from tests.serve.conftest import SINGLE
from tests.serve.served import served

FEW = Limits(joins=Rate(0.001, 2.0), logins=Rate(0.001, 2.0))


def codes(base: str, path: str, body: dict[str, Any], name: str = "X-Forwarded-For") -> list[int]:
    """Return the statuses of requests that claim to come from different addresses."""
    return [
        httpx.post(base + path, json=body, headers={name: f"203.0.113.{n}"}).status_code
        for n in range(4)
    ]


@pytest.mark.parametrize("name", ["X-Forwarded-For", "Forwarded", "X-Real-IP"])
def test_a_claimed_address_is_not_believed(tmp_path: Path, name: str) -> None:
    with served(tmp_path / "study.sqlite", SINGLE, FEW) as study:
        login = codes(study.base, "/api/admin/login", {"token": "guess"}, name)
        assert login == [401, 401, 429, 429]
        joins = codes(study.base, f"/api/join/{study.signer.study_link('user')}", {}, name)
        assert joins == [200, 200, 429, 429]


def test_a_claimed_scheme_is_not_believed(tmp_path: Path) -> None:
    with served(tmp_path / "study.sqlite", SINGLE) as study:
        path = f"{study.base}/api/join/{study.signer.study_link('user')}"
        answer = httpx.post(path, json={}, headers={"X-Forwarded-Proto": "https"})
        assert "Secure" not in answer.headers["set-cookie"]


def test_a_proxy_that_is_named_is_believed(tmp_path: Path) -> None:
    trusted = proxies(["127.0.0.0/8"])
    with served(tmp_path / "study.sqlite", SINGLE, FEW, trusted=trusted) as study:
        assert codes(study.base, "/api/admin/login", {"token": "guess"}) == [401] * 4
        path = study.base + "/api/admin/login"
        statuses = [  # what a client put before the address that the proxy saw is not believed
            httpx.post(
                path,
                json={"token": "guess"},
                headers={"X-Forwarded-For": f"192.0.2.{n}, 198.51.100.1"},
            ).status_code
            for n in range(4)
        ]
        assert statuses == [401, 401, 429, 429]


def test_another_proxy_is_not_believed(tmp_path: Path) -> None:
    trusted = proxies(["10.0.0.1"])
    with served(tmp_path / "study.sqlite", SINGLE, FEW, trusted=trusted) as study:
        assert codes(study.base, "/api/admin/login", {"token": "x"}) == [401, 401, 429, 429]


def test_what_a_proxy_says_is_named_in_the_log_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with served(tmp_path / "study.sqlite", SINGLE) as study:
        codes(study.base, "/api/admin/login", {"token": "guess"})
    [warning] = [record for record in caplog.records if "trust-proxy" in record.getMessage()]
    assert warning.levelname == "WARNING"


@pytest.mark.parametrize("address", ["*", "", "proxy.example", "127.0.0.1/33", "0.0.0.0/0", "::/0"])
def test_a_proxy_is_named_by_its_address(address: str) -> None:
    with pytest.raises(UsageError):
        proxies([address])


@pytest.mark.parametrize("command", ["collect", "serve"])
def test_the_commands_take_no_proxy_without_address(command: str, run: Run) -> None:
    done = run(command, "--tasks", "weather", "--trust-proxy", "everybody", "--db", ":memory:")
    assert (done.code, done.err.count("\n")) == (2, 1)


@pytest.mark.parametrize(
    ("address", "limited"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("unknown", "unknown"),
    ],
)
def test_a_network_of_ipv6_is_one_host(address: str, limited: str) -> None:
    request = Request({"type": "http", "client": (address, 1), "headers": []})
    assert host(request) == limited
    assert host(Request({"type": "http", "client": None, "headers": []})) == ""
