"""Codes, payments and recruiters' ids of assignments, as a table and as CSV."""

from __future__ import annotations

import csv
import io

from dialoom.collect.account import as_csv, table
from dialoom.collect.ledger import ledger
from dialoom.collect.message import Leave
from dialoom.collect.settings import Pay
from tests.collect.studied import Played

MINUTE = 60_000


def test_a_code_is_that_of_the_last_page_and_leads_to_its_assignment() -> None:
    played = Played(codes={"left": "C-LEFT"}, redirects={"left": "https://recruiter.example/back"})
    one = played.enter("w1", source={"SESSION": "x7", "join": "hidden"})
    other = played.enter("w2")
    played.send(one, Leave())
    page = played.state(one)["done"]
    assert (page["code"], page["redirect"]) == ("C-LEFT", "https://recruiter.example/back")
    row, second = table(played.study)
    assert (row["assignment"], row["worker"], row["code"]) == (one, "w1", "C-LEFT")
    assert (row["outcome"], row["source.SESSION"], row["total"]) == ("left", "x7", 0)
    assert (second["assignment"], second["code"], second["source.SESSION"]) == (other, None, None)
    assert not any("join" in name for name in row)


def test_the_table_as_csv_is_safe_in_a_spreadsheet() -> None:
    played = Played(currency="EUR")
    played.send(played.enter('=HYPERLINK("http://evil")'), Leave())
    [row] = csv.DictReader(io.StringIO(as_csv(played.study)))
    assert row["worker"] == '\'=HYPERLINK("http://evil")'
    assert (row["currency"], row["payment"], row["code"]) == ("EUR", "0", "code-1")


def test_who_leaves_a_dialogue_is_paid_what_the_consent_promises() -> None:
    for part, cents in ((0, 0), (20, 40)):
        played = Played(pay=Pay(part=part))
        one, other = played.ready("w1"), played.ready("w2")
        assert played.state(one)["part_per_minute"] == part
        played.tick(120)
        played.send(one, Leave())
        done = played.state(one)["done"]
        assert (done["outcome"], done["cents"]) == ("left", cents)
        assert [row["reason"] for row in done["booked"]] == (["part"] if part else [])
        assert played.step(other) == "waiting"


def test_paid_waiting_has_an_end() -> None:
    pay = Pay(waiting=15, waited_most=10)
    assert [row.cents for row in ledger.wait(pay, 4 * MINUTE)] == [60]
    assert [row.cents for row in ledger.wait(pay, 400 * MINUTE)] == [150]
