"""The words of the bots in machines.py, which no task file has."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from dialoom.dialogue.annotation import Struct
from dialoom.schema.task import TaskSchema


class TaskPhrases(Struct, frozen=True):
    """What a bot says in a task; slots and columns of a result are in braces.

    Attributes:
        greet: Said first.
        ask: Slot to its question, in the bot's order.
        change: Slot to words by which users ask for another value of it.
        offer: Asks whether to book what is free.
        taken: Says that nothing was found or free.
        done: Reports what was booked or found.
        failed: Says that it could not be booked.
        alter: Asks what to change.
        more: Asks whether there is more to do.
        bye: Takes leave.
        details: The user's question for a detail, by its node, to the answer to it.
        back: Reads everything back, and asks whether it is right. Lines without values are dropped.
    """

    greet: str
    ask: Mapping[str, str]
    change: Mapping[str, tuple[str, ...]]
    taken: str
    done: str
    more: str
    bye: str
    offer: str = ""
    failed: str = ""
    alter: str = ""
    back: str = ""
    details: Mapping[str, str] = {}


FORM_PHRASES: Mapping[str, TaskPhrases] = {
    "restaurant_book": TaskPhrases(
        greet="Welcome! I can get you a seat in any restaurant in town.",
        ask={
            "guests": "For how many people?",
            "restaurant": "Which restaurant did you have in mind?",
            "time": "What time should I try?",
            "name": "And what name shall I leave with them?",
        },
        change={
            "time": ("time", "late", "hour", "then", "earlier"),
            "restaurant": ("restaurant", "place", "house", "somewhere"),
            "guests": ("fewer", "guests", "less"),
        },
        offer="They still have room: {restaurant}, {guests} people, {time}. Should I put you down?",
        taken="No luck, {restaurant} has nothing left at {time}. Shall I try a different time or "
        "a different restaurant?",
        done="You are all set: {restaurant} expects you at {time}, {guests} people.",
        failed="It did not work out, the restaurant just gave the table away. Sorry!",
        alter="Okay. Which time or which restaurant should it be instead?",
        more="Was there anything else?",
        bye="Thanks for stopping by. Goodbye!",
    ),
    "hotel_book": TaskPhrases(
        greet="Hi, you are chatting with the room finder.",
        ask={
            "departure": "Until which day will you stay?",
            "arrival": "From which day do you need the room?",
            "hotel": "Which hotel is it to be?",
            "name": "Under which name do I book?",
            "request": "Any special wish that I should mention to the hotel?",
        },
        change={
            "hotel": ("hotel", "house", "place", "there", "elsewhere"),
            "arrival": ("date", "day", "week", "trip", "moved"),
            "departure": ("date", "day", "week", "trip", "moved"),
        },
        offer="There is a free room at {hotel} from {arrival} until {departure}. Would you like me "
        "to book it?",
        taken="Unfortunately {hotel} has no rooms between {arrival} and {departure}. Would you "
        "rather change the dates or the hotel?",
        done="Booked! {hotel} is looking forward to seeing you on {arrival}.",
        failed="Something went wrong over there and the booking was refused.",
        alter="No problem. Which hotel, or which dates, would you prefer?",
        more="Can I do anything else for you?",
        bye="Enjoy your stay. Goodbye!",
    ),
    "doctor_schedule": TaskPhrases(
        greet="Good to hear from you. Appointments are my job.",
        ask={
            "symptoms": "What are your complaints?",
            "doctor": "Do you want to see a certain doctor?",
            "day": "On which day can you come?",
            "start_time": "At what time of the day?",
            "name": "And your name, please?",
        },
        change={
            "start_time": ("time", "hour", "later", "earlier"),
            "day": ("day", "date"),
            "doctor": ("doctor", "somebody", "colleague"),
        },
        offer="{doctor} is free on {day} at {start_time}. Should I book this for you?",
        taken="I am sorry, {doctor} has no time on {day} at {start_time}. Which other time, day or "
        "doctor would suit you?",
        done="Your appointment is confirmed: {doctor}, {day}, {start_time}.",
        failed="The calendar did not take it, I am sorry.",
        alter="Fine, what should I change: the time, the day or the doctor?",
        more="Is there something else I can help with?",
        bye="Get well soon, and goodbye.",
    ),
}

BOARD_PHRASES: Mapping[str, TaskPhrases] = {
    "weather": TaskPhrases(
        greet="# Weather board 🌦️",
        ask={
            "city": "**Which city** do you want the forecast for?",
            "day": "**Which day** is it about?",
        },
        change={
            "day": ("day", "week", "tomorrow"),
            "city": ("city", "place", "town", "somewhere", "trip", "forecast", "another"),
        },
        taken="I found **nothing** for *{city}* on *{day}*. Do you want to try another day "
        "or city?",
        done="**{city}**, {day}\n- sky: **{Weather}**\n- temperature: "
        "**{TemperatureCelsius} °C**\n",
        alter="Sure. **Which day or city** shall I look up instead?",
        more="*Any other question?*",
        bye="👋 Bye!",
    ),
    "ride_book": TaskPhrases(
        greet="# Taxi board 🚕",
        ask={
            "destination": "**Where** would you like to go?",
            "departure": "**Where** do you want to be picked up?",
            "name": "**Your name**, please?",
            "provider": "Any *preference* for a taxi company or a car?",
        },
        change={
            "departure": ("pick", "start", "from"),
            "destination": ("go", "destination", "to somewhere"),
        },
        taken="There is **no car** from *{departure}* to *{destination}* right now. "
        "Would you like to change the pick-up or the destination?",
        done="✅ **Ordered.** Your car to *{destination}* will be waiting at *{departure}*.",
        failed="❌ I **could not** order that car.",
        alter="Okay, **what** should I change, the pick-up or the destination?",
        more="*Anything else?*",
        bye="👋 Have a good trip!",
        details={"ask_driver": "Your driver is called **{DriverName}**."},
        back="A car is available. Please check:\n- **To:** {destination}\n- **From:** {departure}\n"
        "- **Passenger:** {name}\n- **Company:** {provider}\n- **Car:** {car}\n\nOrder it now?",
    ),
    "hotel_book": TaskPhrases(
        greet="# Hotel board 🛏️",
        ask={
            "hotel": "**Which hotel** would you like?",
            "name": "**Who** will be staying there?",
            "arrival": "**When** do you want to arrive?",
            "departure": "**When** will you be leaving?",
            "request": "Is there *anything* you would like to ask the hotel for?",
        },
        change={
            "hotel": ("hotel", "house", "place", "there", "elsewhere"),
            "arrival": ("date", "day", "week", "trip", "moved"),
            "departure": ("date", "day", "week", "trip", "moved"),
        },
        taken="*{hotel}* is **sold out** from {arrival} to {departure}. Other dates, "
        "or another hotel?",
        done="🎉 **Confirmed:** *{hotel}*, {arrival} to {departure}.",
        failed="❌ The hotel **turned it down**.",
        alter="Alright, **which hotel or which dates** would you like instead?",
        more="*Anything else I can do?*",
        bye="👋 Have a nice stay!",
        back="Good news, there is a room. Please check:\n- **Guest:** {name}\n- **Leaving:** "
        "{departure}\n- **Arriving:** {arrival}\n- **Hotel:** {hotel}\n- **Wish:** {request}\n\n"
        "Shall I book it?",
    ),
}


def task_phrases(task: TaskSchema, own: TaskPhrases) -> TaskPhrases:
    """Return the words of the task file at the places of a bot's own words."""
    nodes = task.flow.nodes.values()
    asking = {slot: node.texts[0] for node in nodes for slot in node.asks[:1]}
    after = {
        node.outcome: next(iter(task.flow.following(node)))
        for node in nodes
        if node.kind == "result"
    }
    replies = {
        outcome: _in_slots(task, node.texts[0]) for outcome, node in after.items() if node.texts
    }
    ends = [node.texts[0] for node in nodes if node.kind == "system" and not node.then]
    refusal = replies.get("unavailable") or replies["nothing"]
    return replace(
        own,
        greet=task.flow.nodes["hello"].texts[0],
        ask={slot: asking.get(slot, text) for slot, text in own.ask.items()},
        taken=refusal,
        alter=refusal,
        offer=replies.get("available", ""),
        back=replies.get("available", ""),
        done=replies.get("done") or replies["found"],
        failed=replies.get("failed", ""),
        more=task.flow.nodes["anything_else"].texts[0],
        bye=ends[0],
        details=dict.fromkeys(own.details, "It would be {DriverName}."),
    )


def _in_slots(task: TaskSchema, text: str) -> str:
    """Return a text with slots in place of the inputs of calls."""
    for call in task.calls.values():
        for column in call.inputs:
            if column.slot:
                text = text.replace(f"{{{column.name}}}", f"{{{column.slot}}}")
    return text
