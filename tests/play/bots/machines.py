"""Two bots of their own, over HTTP: forms with their own words, order of questions and summary.

    with serving(FORM) as url:          # http://127.0.0.1:40123/turn
        ...                             # dialoom play --agent http:URL

They follow no flow: they ask for what is missing, check it, read it back, and book it. `FORM` asks
three questions a turn; `BOARD` writes markdown. `in_task_words` gives the same bot with the task
file's words.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from msgspec.structs import replace

from dialoom.dialogue.annotation import Struct
from dialoom.flow.program import compile_task
from dialoom.reading.turn import turn_reader
from dialoom.reading.user_turn import reader_of
from dialoom.schema import pack
from dialoom.schema.flow import Node
from dialoom.schema.values import TEXTS, render
from dialoom.sim.policies.flow.state import DialogueState
from tests.play.bots.phrases import BOARD_PHRASES, FORM_PHRASES, TaskPhrases, task_phrases

EXPECTED = 3.0
"""Bonus, in nats, of the answers that a bot's last question allows."""

MORE = ("anything_else", "plane_ask_more_questions")
"""Nodes that ask whether there is more."""

READY, DONE = ("Available", "Free", "Car free"), ("Reservation Confirmed", "Booked", "Ride ordered")
"""What the calls return where something is free, and where it was booked."""


class BotPlan(Struct, frozen=True):
    """A kind of bot.

    Attributes:
        phrases: Task to its words.
        at_once: How many questions it asks a turn.
        reads_back: Whether it reads everything back before it books.
    """

    phrases: Mapping[str, TaskPhrases]
    at_once: int = 1
    reads_back: bool = False


FORM = BotPlan(FORM_PHRASES, at_once=3)
BOARD = BotPlan(BOARD_PHRASES, reads_back=True)


def in_task_words(plan: BotPlan) -> BotPlan:
    """Return the same bot with the words of the task files."""
    own = {task: task_phrases(pack.load(task), wording) for task, wording in plan.phrases.items()}
    return replace(plan, phrases=own)


class FormBot:
    """Serves one user of one task."""

    def __init__(self, plan: BotPlan, task: str) -> None:
        self.plan, self.words = plan, plan.phrases[task]
        self.task = pack.load(task)
        self.program = compile_task(self.task)
        self.state = DialogueState(self.program)
        self.call = next(iter(self.task.calls.values()))
        self.required = [i.slot for i in self.call.inputs if i.slot and i.required]
        self.asked: list[str] = []
        self.offered: set[str] = set()
        self.stage, self.detail = "begin", ""
        self.row: dict[str, Any] = {}

    def turn(self, events: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Return what the bot says and calls after some events."""
        lead = ""
        for event in events:
            if "user" in event:
                lead = self.hear(event["user"])
            else:
                return self.report(event["result"])
        return self.go_on(lead)

    def hear(self, text: str) -> str:
        """Note what a user says; return what is to be said first."""
        before = {slot: mention.canonical for slot, mention in self.state.said.items()}
        answers = {} if self.declines(text) else self.values(text)
        fresh = {slot: value for slot, value in answers.items() if before.get(slot) != value}
        for slot, value in fresh.items():
            self.state.give(self.program.words.forms(slot, value)[0])
        if self.stage == "begin":
            self.stage = "collect"
            return self.words.greet
        if self.stage == "collect":
            if self.asked and (not fresh or self.declines(text)):
                self.offered.update(slot for slot in self.asked if slot not in self.required)
        elif fresh or (answers and self.stage == "alter"):
            self.stage = "collect"
        else:
            self.stage = self.meant(text)
        return ""

    def declines(self, text: str) -> bool:
        """Return whether a user has no wish."""
        node = self.task.flow.nodes.get(turn_reader(self.task, "user").read(text).action or "")
        return node is not None and node.gives_none and len(self.asked) == 1

    def values(self, text: str) -> dict[str, Any]:
        """Return the values in a text; an answer to a question for a text may be any words."""
        reader = reader_of(self.task)
        context = {slot: mention.canonical for slot, mention in self.state.said.items()}
        answers = dict(reader.chooser.choose(text, set(self.asked), context).values)
        open_ = [slot for slot in self.asked if slot not in answers]
        texts = [slot for slot in open_ if self.task.slots[slot].type in TEXTS]
        parts = [part for part in text.replace("! ", ". ").split(". ") if part]
        for slot in texts if len(self.asked) > 1 else open_[:1]:
            for part in parts if len(self.asked) > 1 else [text]:
                if slot not in answers and not reader.chooser.choose(part, set(), context).values:
                    value = reader.answer(slot, part)
                    answers |= {} if value is None else {slot: value}
        return answers

    def meant(self, text: str) -> str:
        """Return the stage that a user's decision leads to; forget what they want to change."""
        nodes = self.task.flow.nodes
        outcomes = {"confirm": ("available",), "more": ("done", "found", "failed")}
        ended = outcomes.get(self.stage, ("unavailable", "nothing", "refused"))
        results = [n for n in nodes.values() if n.kind == "result" and n.outcome in ended]
        replies = [after for node in results for after in self.task.flow.following(node)]
        if self.stage == "more":
            replies += [n for n in nodes.values() if n.name in MORE]
        able = {after.name for node in replies for after in self.task.flow.following(node)}
        if self.stage == "confirm":
            able |= {n.name for n in nodes.values() if n.kind == "user" and self._books(n)}
        reader = turn_reader(self.task, "user")
        choice = reader.read(text, dict.fromkeys(sorted(able), EXPECTED)).action
        if choice not in able:
            return "bye" if self.stage == "more" else self.stage
        node = nodes[choice]
        self.state.drop([slot for slot in node.forget if slot in self.state.said])
        if node.forget:
            self.offered -= set(node.forget)
            return "collect"
        self.detail = self.words.details.get(node.name, "")
        if self.stage == "confirm" and self._books(node):
            return "book"
        return "confirm" if self.stage == "confirm" else "bye"

    def _books(self, node: Node) -> bool:
        """Return whether a turn of the user's has something booked."""
        return any(self.task.flow.nodes[name].call for name in node.then)

    def go_on(self, lead: str) -> dict[str, Any]:
        """Return the next question or call."""
        if self.stage == "bye":
            return {"say": self.words.bye}
        if self.stage in ("alter", "confirm"):
            self.asked = []
            template, self.detail = self.detail or self.free, ""
            return {"say": self.words.alter if self.stage == "alter" else self.said(template)}
        if self.stage == "book":
            return self.ask("Book")
        values = self.state.said
        open_ = [s for s in self.words.ask if s not in values and s not in self.offered]
        if open_:
            self.asked = open_[: self.plan.at_once]
            questions = [self.words.ask[slot] for slot in self.asked]
            return {"say": " ".join(part for part in (lead, *questions) if part)}
        self.asked = []
        checked = self.ask("Check")
        return {"say": lead, **checked} if lead else checked

    def ask(self, kind: str) -> dict[str, Any]:
        """Return a call with what is known."""
        values = {slot: mention.canonical for slot, mention in self.state.said.items()}
        arguments = {i.name: values[i.slot] for i in self.call.inputs if i.slot in values}
        if any(i.name == "RequestType" for i in self.call.inputs):
            arguments["RequestType"] = kind
        self.stage = kind.lower()
        return {"call": {"name": self.call.name, "arguments": arguments}}

    def report(self, rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Return what is said of a result."""
        words, self.row = self.words, dict(rows[0]) if rows else {}
        status = " ".join(
            str(v) for k, v in self.row.items() if k in ("Message", "ReservationStatus")
        )
        searched = not any(i.name == "RequestType" for i in self.call.inputs)
        if searched and rows:
            self.stage = "more"
            return {"say": f"{self.said(words.done)} {words.more}"}
        if self.stage == "book":
            template, self.stage = words.done if status in DONE else words.failed, "more"
            return {"say": f"{self.said(template)} {words.more}"}
        if status not in READY:
            self.stage = "alter"
            self.asked = []
            return {"say": self.said(words.taken)}
        self.stage, self.asked = "confirm", []
        return {"say": self.said(self.free)}

    @property
    def free(self) -> str:
        """What asks whether to book."""
        return self.words.back if self.plan.reads_back else self.words.offer

    def said(self, template: str) -> str:
        """Return a template with the values filled in."""
        values = {
            slot: render(self.task.slots[slot], mention.canonical, "en")[0]
            for slot, mention in self.state.said.items()
        }
        columns = {name: str(value) for name, value in self.row.items()}
        lines = [line for line in template.split("\n") if self._full(line, columns | values)]
        return "\n".join(lines).format_map(columns | values)

    def _full(self, line: str, values: Mapping[str, str]) -> bool:
        return all(name in values for name in _names(line))


def _names(line: str) -> list[str]:
    return [part.partition("}")[0] for part in line.split("{")[1:]]


@contextmanager
def serving(plan: BotPlan) -> Iterator[str]:
    """Serve a kind of bot on this machine; yield the address of its web hook."""
    bots: dict[str, FormBot] = {}

    class Hook(BaseHTTPRequestHandler):
        """Answers one message."""

        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            """Answer with what the bot says and calls."""
            message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if "task" in message:
                bots[message["dialogue"]] = FormBot(plan, message["task"])
            body = json.dumps(bots[message["dialogue"]].turn(message["events"])).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Write no log."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Hook)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/turn"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
