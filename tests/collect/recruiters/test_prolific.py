"""A draft at Prolific has the study's link, reward, codes, time and conditions."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from dialoom.collect.recruiters.prolific import RECRUITER
from dialoom.collect.recruiters.recruiter import WorkOffer
from dialoom.collect.settings import Settings, Stage
from dialoom.errors import UsageError
from tests.collect.recruiters.platforms import Platform

STUDY = Settings(
    stages=(Stage(name="talk", kind="spoken"),),
    name="Talks",
    recruiter="prolific",
    reward=150,
    approval=96.5,
    codes={"completed": "C1", "screened_out": "C9", "left": "C9"},
)
OFFER = WorkOffer(address="https://s.example/join/a.b", reward=150, number=20, minutes=30)


def test_a_draft_has_the_link_the_reward_the_codes_and_the_conditions() -> None:
    draft = RECRUITER.request(STUDY, OFFER)
    assert draft["external_study_url"] == (
        "https://s.example/join/a.b?PROLIFIC_PID={{%PROLIFIC_PID%}}"
        "&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}"
    )
    assert (draft["reward"], draft["total_available_places"]) == (150, 20)
    assert (draft["estimated_completion_time"], draft["maximum_allowed_time"]) == (30, 90)
    kinds = [(each["code"], each["code_type"]) for each in draft["completion_codes"]]
    assert kinds == [("C1", "COMPLETED"), ("C9", "OTHER")]
    assert draft["peripheral_requirements"] == ["microphone", "audio"]
    [condition] = draft["filters"]
    assert condition["selected_range"] == {"lower": 97}


@pytest.mark.parametrize("changes", [{"codes": {"left": "C9"}}, {"country": "US"}])
def test_settings_that_prolific_cannot_take_are_refused(changes: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        RECRUITER.request(replace(STUDY, **changes), OFFER)


def test_a_draft_is_created_once_it_is_sent() -> None:
    platform, token = Platform(), {"PROLIFIC_TOKEN": "t0k"}
    request = RECRUITER.request(STUDY, OFFER)
    with platform.web as web:
        message = RECRUITER.create(web, request, token, test=False)
        with pytest.raises(UsageError):
            RECRUITER.create(web, request, token, test=True)
    assert "study-1" in message
    assert platform.asked == [("/api/v1/studies/", request)]
    assert platform.tokens == ["Token t0k"]
