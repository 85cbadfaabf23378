"""What people send besides messages is kept once, sealed with their key, and erased with it."""

from __future__ import annotations

from pathlib import Path

from dialoom.collect.log.change import Blob
from dialoom.collect.log.store import Conflict, Store
from tests.collect.log.stores import claims, outcomes

DATA = b"what w1 says, and nobody else " * 200


def sent(unit: int = 3, worker: str = "w1", data: bytes = DATA) -> Blob:
    return Blob(unit=unit, digest="d1", worker=worker, media="audio/wav", data=data)


def test_it_is_read_as_it_was_sent(store: Store, where: str) -> None:
    store.submit(claims(sent())).result()
    store.submit(claims(sent(unit=4, worker="w2", data=b"other"))).result()
    assert outcomes([store.submit(claims(sent(data=b"again")))]) == [Conflict]
    with Store.open(where, readonly=True) as other:
        for reader in (store, other):
            assert reader.blob(3, "d1") == sent()
            assert reader.blob(3, "d2") is reader.blob(5, "d1") is None
            assert list(reader.blobs_of("w1")) == [sent()]


def test_who_is_erased_leaves_nothing_of_it(store: Store, where: str) -> None:
    blob = sent(unit=4, worker="w2", data=b"other")
    store.submit(claims(sent())).result()
    store.submit(claims(blob)).result()
    store.erase(["w1"]).result()
    assert store.blob(3, "d1") is None
    assert list(store.blobs_of("w1")) == []
    assert store.blob(4, "d1") == blob
    if "://" not in where:
        files = Path(where).parent.glob(f"{Path(where).name}*")
        assert DATA[:40] not in b"".join(file.read_bytes() for file in files)
