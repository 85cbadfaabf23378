"""Experiments (protocols): which questions a model learns from and is asked, and how it is scored.

    protocol = PROTOCOLS.get("star-zero-shot-domain")
    plan = protocol.plan(Data(load(Path("star"))), protocol.settings(form="noleak"))
    make = NamedModel("majority", {})
    result = summarise(plan, run(plan, make), make())
    print(result.scores["f1"])

Scores are in percent everywhere.
"""

from __future__ import annotations

from dialoom.bench.core.protocol import Protocol
from dialoom.models import MODELS
from dialoom.registry import Registry

# it reads what models may not know: experiments
MODELS.add({"lookup": "dialoom.bench.dstc6.lookup:LookupRanker"})

PROTOCOLS: Registry[Protocol] = Registry(
    "protocol",
    "dialoom.protocols",
    {
        "star-zero-shot-domain": "dialoom.bench.protocols.zero_shot:DOMAIN",
        "star-zero-shot-task": "dialoom.bench.protocols.zero_shot:TASK",
        "star-next-action": "dialoom.bench.protocols.staged:NEXT_ACTION",
        "star-response": "dialoom.bench.protocols.responses:STAGED",
        "star-zero-shot-response-domain": "dialoom.bench.protocols.responses:DOMAIN",
        "star-zero-shot-response-task": "dialoom.bench.protocols.responses:TASK",
        "star-call": "dialoom.bench.protocols.responses:CALLS_STAGED",
        "star-zero-shot-call-domain": "dialoom.bench.protocols.responses:CALLS_DOMAIN",
        "star-zero-shot-call-task": "dialoom.bench.protocols.responses:CALLS_TASK",
        "star-out-of-domain": "dialoom.bench.protocols.out_of_domain:STAGED",
        "star-zero-shot-out-of-domain": "dialoom.bench.protocols.out_of_domain:DOMAIN",
        "star-selection": "dialoom.bench.protocols.selection:SELECTION",
        "star-induction": "dialoom.bench.protocols.induction:INDUCTION",
        "star-suggestions": "dialoom.bench.protocols.suggestions:CROSS_VALIDATED",
        "star-zero-shot-suggestions": "dialoom.bench.protocols.suggestions:TASK",
        "babi": "dialoom.bench.protocols.babi:BABI",
        "dstc6": "dialoom.bench.protocols.dstc6_history:ITEMS",
        "dstc6-history": "dialoom.bench.protocols.dstc6_history:HISTORY",
        "sgd-tracking": "dialoom.bench.protocols.sgd_tracking:TRACKING",
        "sgd-tracking-leave-services": "dialoom.bench.protocols.sgd_tracking:LEAVE_SERVICES",
        "sgd-x-tracking": "dialoom.bench.protocols.sgd_x:VARIANT_TRACKING",
        "sgd-slots": "dialoom.bench.protocols.sgd_slots:SLOTS",
        "sgd-intents": "dialoom.bench.protocols.sgd_tracking:INTENTS",
        "sgd-policy": "dialoom.bench.protocols.sgd_policy:ACTS",
        "sgd-user": "dialoom.bench.protocols.sgd_policy:USERS",
        "sgd-calls": "dialoom.bench.protocols.sgd_policy:CALLS",
        "calls": "dialoom.bench.protocols.accepted_calls:CALLS",
        "gem-generation": "dialoom.bench.protocols.gem:GENERATION",
        "taskmaster-arguments": "dialoom.bench.protocols.taskmaster:ARGUMENTS",
        "taskmaster-response": "dialoom.bench.protocols.taskmaster:RESPONSE",
        "frames-nlu": "dialoom.bench.protocols.frames_nlu:READING",
        "frames-tracking": "dialoom.bench.protocols.frames_tracking:TRACKING",
        "sim-zero-shot": "dialoom.bench.protocols.simulated:TASK",
        "sim-zero-shot-domain": "dialoom.bench.protocols.simulated:DOMAIN",
    },
)
