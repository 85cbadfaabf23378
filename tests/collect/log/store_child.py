"""Writes to a store and prints what was acknowledged, until the fault that is asked for."""

from __future__ import annotations

import sys
import uuid
from concurrent.futures import Future

from dialoom.collect.log.change import Change
from dialoom.collect.log.record import Record
from dialoom.collect.log.store import Store
from dialoom.dialogue import Utterance
from tests.collect.log.faults import install


def main(where: str) -> None:
    store = Store.open(where)
    seq = len(store.stream("unit/1"))
    while True:
        futures: list[tuple[str, Future[None]]] = []
        for _ in range(5):
            seq += 1
            client = uuid.uuid4().hex
            record = Record("unit/1", seq, seq, "user", client, Utterance(agent="user", text="Hi"))
            futures.append((client, store.submit(Change((record,)))))
        for client, future in futures:
            future.result()
            print(client, flush=True)
            store.reached("after_acknowledgement", None)


install(sys.argv[2])
main(sys.argv[1])
