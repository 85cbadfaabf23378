"""Plays a whole dialogue over the wire, with everything that both may do."""

from __future__ import annotations

from typing import Any

from tests.serve.page import Page

ROUNDS = 30
"""Turns of each after which a dialogue should be over."""


def filled(form: dict[str, Any], request: str) -> list[dict[str, Any]]:
    """Return conditions that a form takes, for every field that is asked for."""
    return [
        {"name": field["name"], "operator": field["operators"][0], "value": value(field, request)}
        for field in form["fields"]
        if field["need"] != "optional"
    ]


def value(field: dict[str, Any], request: str = "Check") -> Any:
    """Return a value that a field takes."""
    match field["type"]:
        case "RequestType":
            return request
        case "Categorical":
            return field["categories"][0]
        case "CategoricalMultiple":
            return field["categories"][:1]
        case "Integer":
            return field["minimum"] or 1
        case "Boolean":
            return True
        case "Date" | "Time":
            return field["minimum"] or ("12:00" if field["type"] == "Time" else "2021-05-03")
        case _:
            return "Alva"


def talk(user: Page, wizard: Page) -> None:
    """Let both talk until the user has accomplished the task, or may."""
    for number in range(ROUNDS):
        user.until_turn()
        if user.state["room"]["can_accomplish"] and number > 2:
            break
        user.do("say", text=f"This is what I say in turn {number}.")
        wizard.until_turn()
        reply(wizard, number)
    user.do("accomplish")


def reply(wizard: Page, number: int) -> None:
    """Let the wizard do what a wizard does, and say something."""
    room = wizard.state["room"]
    tasks = room["tasks"]
    if len(tasks) > 1 and room["task"] != tasks[number % len(tasks)]["id"]:
        wizard.do("turn", task=tasks[number % len(tasks)]["id"])
        wizard.until_state(lambda state: state["room"]["task"] is not None)
    task = next(t for t in tasks if t["id"] == wizard.state["room"]["task"])
    for form in task["forms"]:
        wizard.ask("ask", api=form["api"], conditions=filled(form, "Check"))
    if wizard.state["room"]["items"]:
        wizard.ask("choose", kind="secondary", item=0)
    if number % 2:
        text = f"This is what the wizard says in turn {number}."
        wizard.do("say", text=text, reason="as the guard asks")
        return
    wizard.do("suggest", text="Can I have the name please?")
    offers = wizard.until_state(lambda state: state["room"]["suggestions"])["room"]["suggestions"]
    action = offers["candidates"][0]["id"]
    answer = wizard.ask("pick", action=action)
    if answer["type"] == "refused":
        assert answer["code"] == "off_flow", answer
        wizard.do("pick", action=action, reason="it fits here")


def fill_in(page: Page, **more: Any) -> None:
    """Answer the end questionnaire with yes."""
    form = page.until_step("questionnaire")["questionnaire"]
    answers = {question["id"]: True for question in form["questions"]}
    rating = {"rating": 4} if form["rating"] else {}
    page.do("questionnaire", answers=answers, **rating, **more)


def whole(user: Page, wizard: Page) -> None:
    """Play a dialogue to the end."""
    talk(user, wizard)
    fill_in(user, comment="It went well.")
    fill_in(wizard)
    for page in (user, wizard):
        page.until_step("done")
