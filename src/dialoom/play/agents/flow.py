"""Agents that follow the flow of the task: one understands texts, the oracle reads the user's acts.

--agent flow     --agent oracle
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from dialoom.dialogue import Utterance
from dialoom.dialogue.participant import Participant
from dialoom.flow.node import Step
from dialoom.flow.program import TaskProgram
from dialoom.play.agents.base import AgentSeat, PlainAgent
from dialoom.play.agents.task_switch import together
from dialoom.sim.policies.flow.agent import FlowAgent
from dialoom.sim.policies.flow.hearing import HeardTurn, listen_acts
from dialoom.sim.policies.flow.state import DialogueState


class FlowFollowing(PlainAgent):
    """The agent `flow`: follows the task's flow and finds values in texts; learns nothing."""

    def join(self, seat: AgentSeat) -> Participant:
        """Return an agent at the beginning of the flow."""
        return together({each.task: FlowAgent(each, seat.seed) for each in seat.flows})


class OracleAgent(PlainAgent):
    """The agent `oracle`: follows the task's flow and reads the user's acts: the upper bound."""

    reads_acts: ClassVar[bool] = True

    def join(self, seat: AgentSeat) -> Participant:
        """Return an agent that reads the user's acts."""
        agents = {each.task: FlowAgent(each, seat.seed, _listen) for each in seat.flows}
        return together(agents, reads_acts=True)


def _listen(
    program: TaskProgram, said: Utterance, turns: Sequence[Step], state: DialogueState
) -> HeardTurn:
    return listen_acts(program, said)
