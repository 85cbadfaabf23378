"""A language model as the user, with a goal, over the wire format of OpenAI's chat completions.

    --user openai:small@http://localhost:8000/v1         (the key from OPENAI_API_KEY)

The model gets the instructions that a person would get, and ends the dialogue by a mark. Its
utterances have no annotation; its faults are found by the values in its words (`judging.verdict`).
"""

from __future__ import annotations

from collections.abc import Sequence

from dialoom.dialogue import SYSTEM, USER, Completion, Event, Utterance
from dialoom.dialogue.participant import Participant
from dialoom.http.chat import THOUGHT, ChatClient, Complete, Message
from dialoom.play.users.base import User, UserSeat
from dialoom.sim.policies.flow.scenario_texts import fill, scenario_texts

DONE = "[done]"


class ChatUser:
    """Plays the user of one dialogue, by chat completions."""

    def __init__(self, seat: UserSeat, complete: Complete) -> None:
        self._complete, self._meter = complete, seat.meter
        texts = scenario_texts(seat.language)
        prompt = fill(texts.played, {"task": seat.instructions, "done": DONE})[0]
        prompt = f"{prompt} {seat.trait.prompt}" if seat.trait is not None else prompt
        begin = fill(texts.begin, {"task": seat.instructions.split("\n", 1)[0]})[0]
        self._messages: list[Message] = [
            {"role": "system", "content": prompt},
            {"role": "user", "content": begin},
        ]
        self._taken = 0

    def reply(self, events: Sequence[Event]) -> tuple[Event, ...]:
        """Send the agent's utterances, and return the model's."""
        new = (event for event in events[self._taken :] if isinstance(event, Utterance))
        lines = [event.text for event in new if event.agent == SYSTEM]
        self._taken = len(events)
        if self._taken:
            self._messages.append({"role": "user", "content": "\n".join(lines)})
        answer = self._complete(self._messages, [], self._meter)
        text = answer.said
        if not text:
            return ()
        self._messages.append({"role": "assistant", "content": text})
        words = text.replace(DONE, "").strip()
        thought = {THOUGHT: answer.thought} if answer.thought else {}
        spoken = (Utterance(agent=USER, text=words, extra=thought),) if words else ()
        return (*spoken, Completion()) if DONE in text else spoken


class ChatUsers(User):
    """Users who are a language model with the goal as input."""

    def __init__(self, settings: str = "") -> None:
        self._client = ChatClient(settings, "--user openai")

    def join(self, seat: UserSeat) -> Participant:
        """Return a user who speaks for the model."""
        return ChatUser(seat, self._client.complete)
