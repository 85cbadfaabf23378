"""A booking dialogue of each preset."""

from __future__ import annotations

from dialoom.sim.core.rng import SeededRng, seed_of
from dialoom.sim.policies.booking.family import FAMILIES
from dialoom.sim.policies.booking.policy import BookingPolicy
from dialoom.sim.policies.booking.recorder import BookingRecorder
from dialoom.sim.policies.booking.restaurants import Requests, knowledge
from dialoom.sim.policies.booking.wording import templates, wording_of

LINES = templates(wording_of())


DSTC6, BABI = FAMILIES["dstc6"], FAMILIES["babi"]

BASES = {4: knowledge(BABI, 3)[0], 5: knowledge(DSTC6, 3)[0], 6: knowledge(DSTC6, 3)[0]}

REQUESTS = {size: Requests(base, size, 0, 3) for size, base in BASES.items()}


def talk_of(seed: int, task: int, size: int) -> BookingRecorder:
    requests = REQUESTS[size]
    slots = requests.base.family.slots[:size]
    talk = BookingRecorder(LINES, slots, "<silence>", SeededRng(seed_of(seed, 1), b"language"))
    BookingPolicy(requests, talk, SeededRng(seed_of(seed, 1), b"goal")).task(task)
    return talk
