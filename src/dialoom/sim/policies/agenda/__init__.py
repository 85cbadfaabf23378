"""Two agents over a probabilistic automaton, as SGD's dialogues were made (Rastogi et al. 2020).

    plan = PRESETS.get("sgd").plan(Request(number=1000, seed=7, scenario="mixed"))
    plan.source()(41)

services    the bundled services, or those of a schema.json
slots       the values of slots and their surface forms
provider    a service with its rows and the inputs of its calls
phrases     the language's act templates with the words of a service
table       the automaton: states, moves and their weights (automaton.json)
world       all that the dialogues of a run share; search and booking over the services' rows
session     one service in one dialogue: goal and state
recorder    the events of one dialogue
user        draws and says the user's moves, under conditions
system      answers them
"""
