"""Published figures of STAR: its column of table 1, and table 8 (Mosig et al. 2020, appendix A)."""

from __future__ import annotations

from dialoom.corpus.traits import PublishedOrder, PublishedRow

HOTEL_SERVICE = (
    "hotel_ask_hotel",
    "ask_name",
    "hotel_ask_room_number",
    "hotel_ask_service_request",
    "hotel_ask_time",
    "query",
)
RIDE_BOOK = ("ask_name", "ride_ask_departure", "ride_ask_destination", "query_check")
"""Orders of questions, other than the released schema's, that give the paper's shares.

The paper does not list the actions it checked. In these two tasks the released schema's order is
more than 0.03 away, and exchanging two neighbouring questions gives the printed figures; we read it
as a flow chart that was changed after the analysis. It is an inference from the figures.
"""

TABLE_8 = {
    "apartment_schedule": PublishedOrder(0.95, 0.94, 5),
    "apartment_search": PublishedOrder(0.90, 0.90, 7),
    "bank_balance": PublishedOrder(0.97, 0.97, 3),
    "bank_fraud_report": PublishedOrder(0.97, 0.96, 3),
    "doctor_followup": PublishedOrder(0.98, 0.98, 4),
    "doctor_schedule": PublishedOrder(0.90, 0.90, 6),
    "hotel_book": PublishedOrder(0.95, 0.91, 6),
    "hotel_search": PublishedOrder(1.00, 1.00, 5),
    "hotel_service_request": PublishedOrder(0.66, 0.66, 6, HOTEL_SERVICE),
    "meeting_schedule": PublishedOrder(0.94, 0.94, 6),
    "party_plan": PublishedOrder(0.77, 0.77, 6),
    "party_rsvp": PublishedOrder(0.67, 0.67, 7),
    "plane_book": PublishedOrder(0.97, 0.94, 3),
    "plane_search": PublishedOrder(1.00, 1.00, 4),
    "restaurant_book": PublishedOrder(0.84, 0.84, 5),
    "restaurant_search": PublishedOrder(0.99, 0.99, 7),
    "ride_book": PublishedOrder(0.98, 0.95, 4, RIDE_BOOK),
    "ride_change": PublishedOrder(0.92, 0.92, 4),
    "ride_status": PublishedOrder(0.90, 0.90, 3),
    "spaceship_access_codes": PublishedOrder(0.88, 0.88, 5),
    "spaceship_life_support": PublishedOrder(0.99, 0.95, 4),
    "trip_directions": PublishedOrder(0.79, 0.76, 5),
    "trivia": PublishedOrder(1.00, 1.00, 2),
    "weather": PublishedOrder(1.00, 1.00, 2),
}
"""Table 8 by task; the mean it prints is 0.91 in both columns."""

TABLE_1 = PublishedRow(5_820, 13, 24, 127_833, 21.71, 11.20, True, True, True, True, "turns", 6_507)
"""The paper prints 21.71, but 127,833 / 5,820 is 21.96. It does not name the tokeniser."""
