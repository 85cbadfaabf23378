"""One network address does not hold all seats of a study."""

from __future__ import annotations

import threading
from pathlib import Path

from msgspec.structs import replace

from tests.serve.conftest import SINGLE
from tests.serve.page import Page
from tests.serve.served import served
from tests.serve.strangers import code, stranger, visit


def test_one_address_does_not_hold_all_seats(tmp_path: Path) -> None:
    settings = replace(SINGLE, per_address=3, wizards=("w-1",))
    with served(tmp_path / "study.sqlite", settings) as study:
        pages = [study.page("user") for _ in range(3)]
        fourth = stranger(study)
        assert code(fourth.join()) == "crowded"
        assert pages[0].join().json() == {"assignment": 1}, "who is in stays in"
        for link in (study.invite("user"), study.own("w-1", "wizard")):
            page = visit(study, link)
            assert page.join().status_code == 200, "given to one person"
        pages[1].do("leave")
        assert fourth.join().status_code == 200


def test_people_do_not_move_to_another_address(tmp_path: Path) -> None:
    settings, trusted = replace(SINGLE, per_address=2), ("127.0.0.1",)
    with served(tmp_path / "study.sqlite", settings, trusted=trusted) as study:
        for _ in range(2):
            page = stranger(study)
            page.browser.headers["X-Forwarded-For"] = "203.0.113.1"
            assert page.join().status_code == 200
            page.connect(**{"X-Forwarded-For": "203.0.113.2"})
            page.send_frame(type="hello")
            page.until(lambda frame: frame["type"] == "welcome")
        for address, refusal in (("203.0.113.1", "crowded"), ("203.0.113.2", "")):
            page = stranger(study)
            page.browser.headers["X-Forwarded-For"] = address
            assert code(page.join()) == refusal


def test_joins_at_once_from_one_address_do_not_pass_its_limit(tmp_path: Path) -> None:
    with served(tmp_path / "study.sqlite", replace(SINGLE, per_address=3)) as study:
        answers: list[str] = []
        pages = [stranger(study) for _ in range(10)]
        ready = threading.Barrier(len(pages))

        def come(page: Page) -> None:
            ready.wait()
            answers.append(code(page.join()))

        threads = [threading.Thread(target=come, args=(page,)) for page in pages]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert answers.count("") == 3


def test_an_address_is_known_again_after_a_restart(tmp_path: Path) -> None:
    where = tmp_path / "study.sqlite"
    with served(where, replace(SINGLE, per_address=2)) as study:
        pages = [study.page("user") for _ in range(2)]
        study.pages.clear()
        port = int(study.base.rpartition(":")[2])
    with served(where, None, port=port) as study:
        for page in pages:
            page.close()
            page.open(fresh=False)
            study.pages.append(page)
        assert code(stranger(study).join()) == "crowded"
