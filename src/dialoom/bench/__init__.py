"""Named experiments, exact enough that two people get the same questions.

    protocol = PROTOCOLS.get("star-zero-shot-domain")
    plan = protocol.plan(Sources(corpus=load(Path("star"))))
    outcomes = list(run(plan, partial(build, "majority", {})))
    result = summarise(plan, outcomes, model="majority", settings={})
    print(result.score["f1"], result.interval, result.signature)

protocol     what an experiment is: hold-outs, and what a model may see of a question
stages       the stages of STAR's collection: happy, unhappy, multi
star         STAR's dialogues as questions; which of them are happy
zero_shot    the Schema Attention Model's zero-shot transfer to domains and tasks
next_action  the STAR paper's three stages
simulated    zero-shot transfer among simulated dialogues
sam          the files published with that model
published    published figures, with their source
run          fitting and asking, hold-out by hold-out
results      scores, intervals, signature, and the two files written
against      paired tests with other predictions
nested       settings chosen by leaving out training domains only
table        a result as tables

F1 and accuracy are in percent everywhere.
"""

from __future__ import annotations

from dialoom.bench.protocol import Protocol
from dialoom.registry import Registry

PROTOCOLS: Registry[Protocol] = Registry(
    "protocol",
    "dialoom.protocols",
    {
        "star-zero-shot-domain": "dialoom.bench.zero_shot:DOMAIN",
        "star-zero-shot-task": "dialoom.bench.zero_shot:TASK",
        "star-next-action": "dialoom.bench.next_action:NEXT_ACTION",
        "sim-zero-shot": "dialoom.bench.simulated:TASK",
        "sim-zero-shot-domain": "dialoom.bench.simulated:DOMAIN",
    },
)
