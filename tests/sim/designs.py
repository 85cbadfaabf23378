"""Small tasks of the tests' own: a booking, a list that is read out, and flows that are wrong."""

from __future__ import annotations

from dialoom.schema.task import TaskSchema
from dialoom.schema.yaml.reading import read_text

BOAT = """
task: boat_hire
domain: boat
language: en
description: Hire a boat on the lake.
slots:
  boat:
    type: category
    description: which boat
    values: {Heron: [the Heron, heron boat], RedSwan: [the red swan, the swan], Otter: []}
  time:
    type: time
    description: when to cast off
    from: "09:00"
    to: "16:00"
    step: 30
  crew:
    type: integer
    description: how many people come aboard
    minimum: 1
    maximum: 6
  extras:
    type: categories
    description: what else is wanted
    need: optional
    values: {Oars: [a second pair of oars], Vests: [life vests], Basket: [a picnic basket]}
tables:
  hires:
    rows: 20
    columns:
      Boat: {slot: boat}
      Time: {slot: time}
      Crew: {slot: crew}
      Extras: {slot: extras}
apis:
  boat_hire:
    effect: book
    table: hires
    key: [Boat, Time]
    inputs:
      Boat: {slot: boat, required: true}
      Time: {slot: time, required: true}
      Crew: {slot: crew, required: true}
      Extras: {slot: extras}
      RequestType: {type: request}
    outputs:
      Message: {type: category, values: [Free, Gone, Yours, Lost]}
    answers:
      available: {Message: Free}
      unavailable: {Message: Gone}
      done: {Message: Yours}
      failed: {Message: Lost}
flow:
  open:
    user:
      - Ahoy!
      - I want to go out on the lake.
      - We are {crew} and would like a boat.
      - Is {boat} free at {time}?
      - Hello, {boat} for {crew}, please.
    then: ask_boat
  ask_boat:
    system: [Which of our boats?]
    asks: boat
    then: give_boat
  give_boat:
    user: ["{boat}.", "{boat}, please.", "We like {boat}.", "{boat} at {time}.", "Take {boat}."]
    then: ask_time
  ask_time:
    system: [When would you cast off?, What time?]
    asks: time
    then: give_time
  give_time:
    user: ["At {time}.", "{time}.", "Around {time}.", "{time} suits us.", "From {time} on."]
    then: ask_crew
  ask_crew:
    system: [How many are you?]
    asks: crew
    then: give_crew
  give_crew:
    user: ["{crew}.", "We are {crew}.", "{crew} of us.", "Just {crew}.", "{crew} people."]
    then: ask_extras
  ask_extras:
    system: [Anything else aboard?]
    asks: extras
    then: [give_extras, no_extras]
  give_extras:
    user: ["{extras}.", "Yes, {extras}.", "{extras}, please.", "We need {extras}.", "+ {extras}"]
    then: check
  no_extras:
    user: [No., Nothing., Just the boat., No thanks., We have all we need.]
    gives_none: true
    then: check
  check:
    call: boat_hire
    request: Check
    then: [free, gone]
  free:
    result: available
    then: offer
  gone:
    result: unavailable
    then: sorry
  sorry:
    system: ["{Boat} is out at {Time}. Another time?"]
    then: [other_time, leave]
  other_time:
    user: [Yes., Fine., All right., Sure., We can wait.]
    forget: [time]
    then: ask_time
  leave:
    user: [No., Then not., Too bad., Never mind., Another day.]
    then: goodbye
  offer:
    system: ["{Boat} is yours at {Time} for {Crew}. Shall I note it?"]
    then: [accept, refuse]
  accept:
    user: [Yes., Do it., Go ahead., Please., Aye.]
    then: book
  refuse:
    user: [No., Wait., Rather not., Not then., Hold on.]
    forget: [time]
    then: ask_time
  book:
    call: boat_hire
    request: Book
    then: [done, lost]
  done:
    result: done
    then: confirm
  lost:
    result: failed
    then: sorry
  confirm:
    system: ["Noted: {Boat}, {time}."]
    then: goodbye
  goodbye:
    system: [Ship ahoy!]
"""

GUIDE = """
task: garden_tour
domain: garden
language: en
description: Walk through the garden with a voice in the ear.
slots:
  garden:
    type: category
    description: which garden
    values: {Rosery: [the rosery], Fernery: [the fernery], Orchard: [the orchard]}
  guided:
    type: boolean
    description: whether somebody comes along
  guide:
    type: short text
    description: who comes along
    examples: [Ada Moreau, Bram Okafor]
tables:
  tours:
    rows: 12
    columns:
      Garden: {slot: garden}
      Steps:
        type: steps
        lists:
          - [Enter by the gate, Smell the first bush, Leave by the pond]
          - [Climb the stile, Count the snails]
      Details:
        type: steps
        lists:
          - [The gate is green, It is a pink one, Mind the ducks]
          - [It creaks, There are many]
apis:
  garden_tour:
    effect: search
    table: tours
    inputs:
      Garden: {slot: garden, required: true}
      Guide: {slot: guide}
    outputs: {}
flow:
  open:
    user: [Hi., "Take me to {garden}.", Hello., Good day., "I am at {garden}."]
    then: ask_garden
  ask_garden:
    system: [Where are you?]
    asks: garden
    then: give_garden
  give_garden:
    user: ["{garden}.", "At {garden}.", "In {garden}.", "{garden}, I think.", "By {garden}."]
    then: ask_guided
  ask_guided:
    system: [Does somebody come along?]
    asks: guided
    then: [with_guide, alone]
  with_guide:
    user: [Yes., Somebody does., We are two., I have company., Right.]
    set: {guided: "yes"}
    then: ask_guide
  alone:
    user: [No., Just me., I am alone., Nobody., By myself.]
    set: {guided: "no"}
    then: ask_guide
  ask_guide:
    system: [Who is it?]
    asks: guide
    when: guided is yes
    then: give_guide
  give_guide:
    user: ["{guide}.", "It is {guide}.", "My friend {guide}.", "{guide} here.", "One {guide}."]
    then: look
  look:
    call: garden_tour
    then: [found, nothing]
  found:
    result: found
    then: step
  nothing:
    result: nothing
    then: sorry
  sorry:
    system: [No such garden.]
  step:
    system: ["{step}. Go on?"]
    reads: Steps
    then: [proceed, closer]
    last: arrive
  proceed:
    user: [Yes., Next., Go on., Done., I am there.]
    then: step
  closer:
    user: [How?, What is it like?, Tell me more., Where?, Which one?]
    then: detail
  detail:
    system: ["{step}!"]
    detail: Details
    then: proceed
  arrive:
    system: ["{step}. That was all."]
    then: thanks
  thanks:
    user: [Thanks., Lovely., Good., Bye., It was nice.]
    then: goodbye
  goodbye:
    system: [Come again.]
"""


def boat() -> TaskSchema:
    """Return a booking task that may be checked in vain."""
    return read_text(BOAT)


def guide() -> TaskSchema:
    """Return a task that reads a list out, with a question that is asked only sometimes."""
    return read_text(GUIDE.replace('is: ["True"]', "is: [yes]"))
