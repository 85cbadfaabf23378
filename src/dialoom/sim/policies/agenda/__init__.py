"""Two agents over a probabilistic automaton, as SGD's dialogues were made (Rastogi et al. 2020).

    plan = PRESETS.get("sgd").plan(Request(number=1000, seed=7, scenario="mixed"))
    plan.source()(41)

services    the bundled services, or those of a schema.json
slots       what values slots take, and how they are said
provider    a service made ready: what it has, what its calls need
backend     what calls find and change
wording     a language's words for the acts
phrases     templates with the words of a service
table       the automaton: what may follow what, how often; automaton.json holds it
world       all that the dialogues of a run share
session     one service in one dialogue: wishes, state
recorder    one dialogue as it goes on
guards      what a user's move needs
user        makes the user's moves
system      answers them
"""
