"""A HIT has the study's link, reward, time and qualifications, and is created at the platform."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from dialoom.collect.recruiters.hit import APPROVAL, APPROVED, LOCALE, hit
from dialoom.collect.settings import Settings, Stage
from dialoom.errors import UsageError

WRITE = Stage(name="write", kind="self_dialogue", tasks=("coffee_ordering",))
STUDY = Settings(
    stages=(WRITE,),
    name="Talks & more",
    recruiter="mturk",
    reward=150,
    approval=97,
    approved=500,
    country="US",
)
PLACE = "https://study.example.org/join/a.b?x=1&y=2"


def test_a_hit_has_the_link_the_reward_and_the_qualifications() -> None:
    found = hit(STUDY, PLACE, reward=150, number=20, minutes=30, days=7)
    assert "join/a.b?x=1&amp;y=2</ExternalURL>" in found["Question"]
    assert (found["Reward"], found["MaxAssignments"]) == ("1.50", 20)
    assert (found["AssignmentDurationInSeconds"], found["LifetimeInSeconds"]) == (5400, 604_800)
    held = {each["QualificationTypeId"]: each for each in found["QualificationRequirements"]}
    assert held[APPROVAL]["IntegerValues"] == [97]
    assert held[APPROVED]["IntegerValues"] == [500]
    assert held[LOCALE]["LocaleValues"] == [{"Country": "US"}]
    assert {each["ActionsGuarded"] for each in held.values()} == {"DiscoverPreviewAndAccept"}
    again = hit(STUDY, PLACE, reward=150, number=20, minutes=30, days=7)
    other = hit(STUDY, PLACE, reward=150, number=21, minutes=30, days=7)
    assert again == found != other
    assert other["UniqueRequestToken"] != found["UniqueRequestToken"]


@pytest.mark.parametrize(
    ("settings", "place"),
    [
        (replace(STUDY, recruiter="prolific"), PLACE),
        (STUDY, PLACE.replace("https", "http")),
        (replace(STUDY, country="Atlantis"), PLACE),
    ],
)
def test_a_hit_that_cannot_be_is_refused(settings: Settings, place: str) -> None:
    with pytest.raises(UsageError):
        hit(settings, place, reward=150, number=20, minutes=30, days=7)
