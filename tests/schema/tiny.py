"""A small task of our own, in the shape of the published ones."""

from __future__ import annotations

from dialoom.formats.star.importing import to_schema
from dialoom.schema.source import StarApi, StarParameter, StarSource, StarView

HOURS = [f"{hour} {half}" for half in ("am", "pm") for hour in (12, *range(1, 12))]

REPLIES = {
    "hello": "Good day, what can I do?",
    "ask_guest": "Under which name, please?",
    "ask_hour": "At what time will you come?",
    "ask_size": "How many of you will there be?",
    "offer": "{garden:s} is open at {time:s}. Shall I put you down?",
    "closed": "Sadly the garden is closed then.",
    "confirm": "You are expected, {guest_name:s}.",
    "more": "Would you like anything more?",
    "leave": "Farewell and goodbye.",
    "open": "Open",
    "shut": "Closed",
    "query_check": "Check",
    "query_book": "Book",
}

EDGES = {
    "hello": "ask_guest",
    "ask_guest": "ask_hour",
    "ask_hour": "ask_size",
    "ask_size": "query_check",
    "open": "offer",
    "shut": "closed",
    "query_book": "confirm",
    "confirm": "more",
}

NODES = {
    "user_hello": "Hello.",
    "hello": REPLIES["hello"],
    "user_visit": "I want to visit a garden",
    "ask_guest": REPLIES["ask_guest"],
    "user_guest": "My name is [NAME]",
    "ask_hour": REPLIES["ask_hour"],
    "user_hour": "[TIME]",
    "ask_size": REPLIES["ask_size"],
    "user_size": "[NUMBER] people",
    "query_check": "[QUERY_CHECK]",
    "db_open": "[RESULT] APIName = garden_visit ; Message = The garden is open. ; Time = [TIME] ;",
    "offer": REPLIES["offer"],
    "db_shut": "[RESULT] APIName = garden_visit ; Message = The garden is shut. ; Time = [TIME] ;",
    "closed": REPLIES["closed"],
    "user_yes": "Yes, do",
    "query_book": "[QUERY_BOOK]",
    "db_booked": "[RESULT] APIName = garden_visit ; Message = Booked. ;",
    "confirm": REPLIES["confirm"],
    "user_thanks": "Thank you",
    "more": REPLIES["more"],
    "user_bye": "Bye",
    "goodbye": "Farewell and goodbye!",
}

RICH = {
    "user_hello": "hello",
    "user_visit": "ask_guest",
    "user_guest": "ask_hour",
    "user_hour": "ask_size",
    "user_size": "query_check",
    "db_open": "offer",
    "db_shut": "closed",
    "user_yes": "query_book",
    "db_booked": "confirm",
    "user_thanks": "more",
    "user_bye": "goodbye",
}

REVERSE = {
    "user_visit": "hello",
    "user_guest": "ask_guest",
    "user_hour": "ask_hour",
    "user_size": "ask_size",
    "db_open": "query_check",
    "db_shut": "query_check",
    "user_yes": "offer",
    "db_booked": "query_book",
    "user_thanks": "confirm",
    "user_bye": "more",
}

API = StarApi(
    name="garden_visit",
    inputs=(
        StarParameter(name="GuestName", type="ShortString", readable="Guest Name"),
        StarParameter(name="Hour", type="Categorical", categories=HOURS, readable="Hour"),
        StarParameter(
            name="PartySize", type="Integer", minimum=1, maximum=30, readable="Party Size"
        ),
        StarParameter(name="RequestType", type="RequestType", categories=["Check", "Book"]),
    ),
    outputs=(StarParameter(name="Message", type="ShortString"),),
    required=("GuestName", "Hour", "PartySize", "RequestType"),
    db="gardens",
    function="visit",
    returns_count=False,
)

VISIT = to_schema(
    "garden_visit",
    "visit_garden",
    REPLIES,
    StarSource(
        paper=StarView(name="visit_garden", edges=EDGES),
        sam=StarView(name="garden_visit", edges=RICH, reverse=REVERSE, nodes=NODES),
        apis=(API,),
        suggestions={k: v for k, v in REPLIES.items() if k not in ("open", "shut")},
        examples={"ask_size": ("how many will come",), "leave": ("bye then",)},
    ),
)
"""A task with all views; asks for three values, checks, books."""

WAY = to_schema(
    "way_out",
    None,
    {
        "hello": "Good day, what can I do?",
        "ask_from": "Where are you now?",
        "tell_step": "{short_step:s} Do you need more about this?",
        "tell_more": "{long_step:s}",
        "tell_last": "{short_step:s} Can you see it?",
        "leave": "Goodbye.",
        "query": "Query",
    },
    StarSource(
        paper=StarView(edges={"hello": "ask_from", "ask_from": "query", "query": "tell_step"}),
        sam=StarView(
            nodes={
                "user_hello": "Hello.",
                "user_from": "I am at [LOCATION]",
                "db_way": "[RESULT] APIName = way_out ; Steps = [LIST] ;",
                "user_on": "Yes, go on",
                "user_more": "Can I have more details?",
                "user_bye": "Bye",
                "hello": "Good day, what can I do?",
                "ask_from": "Where are you now?",
                "query": "[QUERY]",
                "tell_step": "{short_step:s} Do you need more about this?",
                "tell_more": "{long_step:s}",
                "tell_last": "{short_step:s} Can you see it?",
                "leave": "Goodbye.",
            },
            edges={
                "user_hello": "hello",
                "user_from": "query",
                "db_way": "tell_step",
                "user_on": "tell_step",
                "user_more": "tell_more",
                "user_bye": "leave",
            },
            reverse={
                "user_from": "ask_from",
                "db_way": "query",
                "user_on": "tell_step",
                "user_more": "tell_step",
                "user_bye": "tell_step",
            },
        ),
        apis=(
            StarApi(
                name="way_out",
                inputs=(StarParameter(name="Place", type="ShortString", readable="Location"),),
                required=("Place",),
            ),
        ),
    ),
)
"""A task that reads out a list step by step."""

BARE = to_schema("bare", None, {"hello": "Hi.", "ask": "What is it?"}, StarSource())
"""A task with neither a flow graph nor an API."""
