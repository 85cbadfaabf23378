"""Two agents over a probabilistic automaton, as SGD's dialogues were made (Rastogi et al. 2020).

    plan = PRESET.plan(Request(number=1000, seed=7, scenario="mixed"))
    plan.source()(41)

services    the bundled services, or those of a schema.json
slots       what values slots take, and how they are said
provider    a service made ready: what it has, what its calls need
backend     the knowledge base behind the services
wording     a language's words for the acts
phrases     templates made ready for a service
table       the automaton: what may follow what, how often; automaton.json holds it
world       all that the dialogues of a run share
leg         one service in one dialogue: wishes, state
talk        one dialogue under way
guards      what a user's move needs
user        makes the user's moves
system      answers them
simulator   one dialogue
preset      a run
"""

from dialoom.sim.policies.agenda.backend import replayed
from dialoom.sim.policies.agenda.simulator import SCENARIOS
from dialoom.sim.presets.sgd import PRESET, SgdPlan

__all__ = ["PRESET", "SCENARIOS", "SgdPlan", "replayed"]
