"""Twenty attacks on identity, pay, caps and codes, over the real server: none goes through.

docs/explanation/threat-model.md lists them.
"""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import httpx
import pytest

from dialoom.collect.settings import Settings, Stage
from dialoom.serve.joining import RESERVED_NAMES
from dialoom.serve.links import Link
from tests.serve.page import Page
from tests.serve.served import Served, served

WRITE = Stage(name="write", kind="self_dialogue", tasks=("coffee_ordering",), least=2, pay=150)
MARK = Stage(name="mark", kind="annotation", of="write", workers=2, pay=60)
JUDGE = Stage(name="judge", kind="adjudication", of="mark", only=("judge-1",), pay=500)
CODES = {"completed": "C-DONE", "left": "C-LEFT"}
LINES = ("A large latte, please.", "It is ready at once.")
NAMES = count(1)


@pytest.fixture(scope="module")
def study() -> Iterator[Served]:
    """A study in which one person writes, two annotate, and a listed one adjudicates."""
    settings = Settings(
        stages=(WRITE, MARK, JUDGE), scenarios=60, seed=3, codes=CODES, per_address=1000
    )
    with served(":memory:", settings) as study:
        yield study


def name() -> str:
    return f"a-{next(NAMES)}"


def begun(study: Served, worker: str = "", stage: str = "write") -> Page:
    """Return the page of somebody who has work of a stage."""
    link = f"{study.base}/join/{study.signer.study_link(None, stage)}"
    page = Page(link, worker=worker or name()).enter()
    study.pages.append(page)
    if page.state["step"] == "consent":
        page.do("consent")
    page.until_step("room")
    return page


def write(page: Page) -> None:
    for place, text in enumerate(LINES, start=1):
        speaker = ("user", "assistant")[place % 2 == 0]
        page.do("save", part=str(place), rev=0, value={"speaker": speaker, "text": text})


def done(page: Page) -> dict[str, Any]:
    """Write and hand in, and return the last page."""
    write(page)
    page.do("submit")
    ending: dict[str, Any] = page.until_step("done")["done"]
    return ending


def paid(study: Served, worker: str) -> int:
    rows = study.hub.study.state.ledger.rows
    return sum(row.cents for _, row in rows if row.worker == worker)


def accepted(study: Served, page: Page) -> int:
    """Accept all work of an assignment, as often as it can be; return what its worker is paid."""
    number = page.state["assignment"]
    with study.admin() as admin:
        for _ in range(3):
            path = f"/api/admin/assignments/{number}/review"
            admin.post(path, json={"accepted": True})
    return paid(study, page.state["worker"])


def joined(study: Served, link: str, **body: Any) -> httpx.Response:
    headers = {"Origin": study.base}
    return httpx.post(f"{study.base}/api/join/{link}", json=body, headers=headers)


def stage_of(study: Served, answer: httpx.Response) -> str:
    """Return the stage that a join led to, or the refusal's code."""
    body = answer.json()
    if "code" in body:
        return str(body["code"])
    return study.hub.study.assignment(body["assignment"]).stage


# --- identity -------------------------------------------------------------------------------------


def rewritten_stage(study: Served) -> None:
    """Change the stage in a link, and keep its signature."""
    payload, _, signature = study.signer.study_link(None, "write").rpartition(".")
    plain = urlsafe_b64decode(payload + "=" * (-len(payload) % 4)).replace(b"write", b"judge")
    forged = urlsafe_b64encode(plain).rstrip(b"=").decode()
    assert stage_of(study, joined(study, f"{forged}.{signature}")) == "forged"


def link_to_a_listed_stage(study: Served) -> None:
    """Use the link to a stage as somebody whom it does not list."""
    link = study.signer.study_link(None, "judge")
    assert stage_of(study, joined(study, link, worker=name())) == "screened_out"


def worker_named_as_a_stage_link(study: Served) -> None:
    """Take the id that a link to a stage has in the place of an id."""
    link = study.signer.link(Link("worker", None, "study to judge"))
    assert stage_of(study, joined(study, link)) != "judge"


def lookalike_of_a_listed_worker(study: Served) -> None:
    """Write a listed id with invisible letters, other forms or other scripts."""
    link = study.signer.study_link(None, "judge")
    for worker in ("judge-1\u200b", "JUDGE-1", "judge\u20101", "jud\u0261e-1", "\uff4audge-1"):
        answer = joined(study, link, worker=worker)
        assert stage_of(study, answer) in ("screened_out", "malformed"), worker
    for worker in ("judge-1", " judge-1 ", "judge-1\n"):
        assert stage_of(study, joined(study, link, worker=worker)) == "proof_wanted", worker


def ids_of_the_servers_own(study: Served) -> None:
    """Take the ids of erased people, of visitors and of programs."""
    link = study.signer.study_link(None, "write")
    for worker in ("person:1", "bot:user", "bot:wizard", "visitor-1"):
        answer = joined(study, link, worker=worker)
        number = answer.json().get("assignment")
        assert number is None or study.hub.study.assignment(number).worker == "visitor-1"
        assert worker == "visitor-1" or stage_of(study, answer) == "malformed", worker


def invite_with_anothers_id(study: Served) -> None:
    """Use an invite of one's own under the id of somebody who took part."""
    page = begun(study)
    answer = joined(study, study.signer.invite(None), worker=page.state["worker"])
    assert stage_of(study, answer) == "proof_wanted"


def fields_of_the_servers_own(study: Served) -> None:
    """Name stage, place or assignment in the request to join, and the server's keys in `source`."""
    link = study.signer.study_link(None, "write")
    for more in ({"stage": "judge"}, {"role": "wizard"}, {"assignment": 1}, {"granted": True}):
        assert stage_of(study, joined(study, link, **more)) == "malformed", more
    for key in RESERVED_NAMES:
        answer = joined(study, link, source={key: "1"}, worker=name())
        assert stage_of(study, answer) == "malformed", key


# --- pay ------------------------------------------------------------------------------------------


def handed_in_twice(study: Served) -> None:
    """Hand in the same work by several messages at once."""
    page = begun(study)
    write(page)
    for client in ("s-1", "s-2", "s-1"):
        page.post("submit", client)
    page.until_step("done")
    assert accepted(study, page) == 150


def handed_in_by_two_tabs(study: Served) -> None:
    """Hand in by two connections of one browser."""
    page = begun(study)
    write(page)
    other = Page(page.link)
    other.browser.cookies.update(page.browser.cookies)
    other.open()
    other.post("submit")
    other.post("submit")
    other.until_step("done")
    assert accepted(study, other) == 150
    other.shut()


def handed_in_without_work(study: Served) -> None:
    """Hand in an empty document, and one that is too short."""
    page = begun(study)
    assert page.ask("submit")["code"] == "incomplete"
    page.do("save", part="1", rev=0, value={"speaker": "user", "text": LINES[0]})
    assert page.ask("submit")["code"] == "incomplete"
    page.do("leave")
    page.until_step("done")
    assert accepted(study, page) == 0


def handed_in_after_the_end(study: Served) -> None:
    """Replay the messages of work that is over, on the page of its end."""
    page = begun(study)
    done(page)
    for message in ("submit", "leave", "consent", "ready"):
        assert page.ask(message)["type"] == "refused", message
    assert accepted(study, page) == 150


def work_of_another_kind(study: Served) -> None:
    """Send messages of other kinds of work, which might be paid or end it."""
    page = begun(study)
    for message, body in (
        ("accomplish", {}),
        ("questionnaire", {"answers": {}}),
        ("pick", {"action": "bye"}),
        ("answer", {"question": "q1", "option": "a"}),
    ):
        assert page.ask(message, **body)["type"] == "refused", message
    assert paid(study, page.state["worker"]) == 0


def bonus_by_others(study: Served) -> None:
    """Book a bonus without a token, with a participant's cookie, and as viewer or reviewer."""
    page = begun(study)
    number, body = page.state["assignment"], {"cents": 5000, "reason": "mine", "key": "k"}
    path = f"/api/admin/assignments/{number}/bonus"
    assert page.browser.post(path, json=body).status_code == 401
    for role in ("viewer", "reviewer"):
        with study.admin(role) as admin:
            assert admin.post(path, json=body).status_code == 403
    assert paid(study, page.state["worker"]) == 0


def bonus_out_of_range(study: Served) -> None:
    """Book a bonus below zero, or of any size, and one twice."""
    page = begun(study)
    path = f"/api/admin/assignments/{page.state['assignment']}/bonus"
    with study.admin() as admin:
        for cents in (-500, 0, 10**9, 2**63):
            body = {"cents": cents, "reason": "r", "key": f"k{cents}"}
            assert admin.post(path, json=body).status_code >= 400, cents
        for _ in range(3):
            assert admin.post(path, json={"cents": 7, "reason": "r", "key": "k"}).status_code == 200
    assert paid(study, page.state["worker"]) == 7


def absences_of_other_kinds(study: Served) -> None:
    """Report numbers of one's own to be counted: negative ones, endless ones, not asked for."""
    page = begun(study)
    for body in ({"pasted": -1}, {"away": -5}, {"away": 1e300}, {"pasted": 10**9}, {"away": "x"}):
        assert page.ask("attention", **body)["code"] == "malformed", body
    assert page.ask("attention", pasted=1)["code"] == "not_now"


# --- caps -----------------------------------------------------------------------------------------


def own_work_to_annotate(study: Served) -> None:
    """Get one's own dialogue to annotate, and an item of two annotators twice."""
    page = begun(study)
    own = study.hub.study.assignment(page.state["assignment"]).unit
    done(page)
    worker, had = page.state["worker"], list[Any]()
    link = study.own(worker).rpartition("/")[2]
    for _ in range(6):
        answer = joined(study, link, again=True)
        if stage_of(study, answer) != "mark":
            break
        one = Page(study.own(worker))
        one.join(again=True)
        one.open()
        if one.state["step"] == "consent":
            one.do("consent")
        one.until_step("room")
        unit = study.hub.study.units[one.state["room"]["number"]]
        had.append(unit.item.id)
        assert unit.item.after != f"unit/{own}" and worker not in unit.item.participants
        one.do("leave")
        one.until_step("done")
        one.shut()
    assert len(set(had)) == len(had)


# --- codes ----------------------------------------------------------------------------------------


def code_before_the_end(study: Served) -> None:
    """Find the code of completed work in the frames before its end, or by leaving."""
    page = begun(study)
    write(page)
    assert "C-DONE" not in json.dumps(page.frames)
    page.do("leave")
    assert page.until_step("done")["done"]["code"] == "C-LEFT"
    assert "C-DONE" not in json.dumps(page.frames)


def codes_of_others(study: Served) -> None:
    """Look codes up without a token, and read another's last page with one's own cookie."""
    page, other = begun(study), begun(study)
    done(other)
    assert page.browser.get("/api/admin/codes/C-DONE").status_code == 401
    assert page.browser.get("/api/admin/accounts.csv").status_code == 401
    for link in (study.own(other.state["worker"]), study.link("wizard")):
        thief = Page(link)
        thief.browser.cookies.update(page.browser.cookies)
        thief.connect()
        assert thief.until_closed() == 4003
        thief.shut()


def codes_in_order(study: Served) -> None:
    """Guess the server's own codes from each other."""
    ends = [each.code for each in study.hub.study.state.assignments.values() if each.code]
    assert len(set(ends)) == len(ends)
    assert all(len(code) >= 8 for code in ends)


ATTACKS: tuple[Callable[[Served], None], ...] = (
    rewritten_stage,
    link_to_a_listed_stage,
    worker_named_as_a_stage_link,
    lookalike_of_a_listed_worker,
    ids_of_the_servers_own,
    invite_with_anothers_id,
    fields_of_the_servers_own,
    handed_in_twice,
    handed_in_by_two_tabs,
    handed_in_without_work,
    handed_in_after_the_end,
    work_of_another_kind,
    bonus_by_others,
    bonus_out_of_range,
    absences_of_other_kinds,
    own_work_to_annotate,
    code_before_the_end,
    codes_of_others,
    codes_in_order,
)


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.__name__)
def test_an_attack_does_not_go_through(study: Served, attack: Callable[[Served], None]) -> None:
    attack(study)


def test_nobody_new_is_let_in_beyond_the_budget() -> None:
    settings = Settings(stages=(WRITE,), scenarios=60, seed=3, budget=150)
    with served(":memory:", settings) as study:
        page = begun(study)
        done(page)
        links = (study.signer.study_link(None, "write"), study.signer.invite(None))
        for link in (*links, study.signer.worker_link(name(), None)):
            assert stage_of(study, joined(study, link)) in ("full", "paused"), link
        assert page.join(again=True).status_code >= 400
        assert accepted(study, page) == 150


def test_links_to_stages_count_for_the_limit_of_an_address() -> None:
    settings = Settings(stages=(WRITE, MARK), scenarios=60, seed=3, per_address=2)
    with served(":memory:", settings) as study:
        for _ in range(2):
            begun(study)
        for stage in ("", "write"):
            link = study.signer.study_link(None, stage)
            answer = httpx.post(
                f"{study.base}/api/join/{link}",
                json={"worker": name()},
                headers={"Origin": study.base, "X-Forwarded-For": "203.0.113.7"},
            )
            assert stage_of(study, answer) == "crowded"
