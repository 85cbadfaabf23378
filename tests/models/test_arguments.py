"""Arguments of calls: what is looked up, what is learnt, and what came of them."""

from __future__ import annotations

from dialoom.dialogue import SYSTEM, USER, Dialogue, Example, Question, Span, Spans, Utterance
from dialoom.learn.crf import heard
from dialoom.models.arguments import ArgumentTagger, apart, labelled

SIZES = ("small", "large", "huge", "tiny")
TIMES = ("six", "seven", "eight")


def dialogue(number: int) -> list[Example[Spans, tuple[Span, ...]]]:
    """Return questions about an order of a pie, or of a ride."""
    if number % 2:
        size = SIZES[number // 2 % len(SIZES)]
        lines = [
            (USER, f"I want a {size} pie.", "pie.size", size, ".accept"),
            (SYSTEM, f"No {size} pie is left.", "pie.size", size, ".reject"),
        ]
    else:
        time = TIMES[number // 2 % len(TIMES)]
        lines = [
            (USER, "I need a ride.", "", "", ""),
            (SYSTEM, f"Is {time} right?", "ride.time", time, ""),
        ]
    events = tuple(Utterance(agent=agent, text=text) for agent, text, *_ in lines)
    examples: list[Example[Spans, tuple[Span, ...]]] = []
    for turn, (_, text, label, value, ending) in enumerate(lines):
        start = text.index(value)
        span = Span(start, start + len(value), (label + ending,))
        spans: tuple[Span, ...] = (span,) if label else ()
        question = Question(Dialogue(id=str(number), events=events), turn + 1, Spans(()))
        examples.append(Example(question, spans))
    return examples


def test_a_learnt_model_tells_what_an_order_is_about() -> None:
    learnt = [example for number in range(40) for example in dialogue(number)]
    examples = [example for number in range(40, 48) for example in dialogue(number)]
    model = ArgumentTagger()
    model.fit(learnt, {})
    predictions = model.predict([example.question for example in examples], {})
    assert [each.answer for each in predictions] == [example.answer for example in examples]
    assert model.predict([], {}) == []


def test_without_any_label_nothing_is_found() -> None:
    learnt = [Example(example.question, ()) for number in range(4) for example in dialogue(number)]
    model = ArgumentTagger()
    model.fit(learnt, {})
    assert model.predict([learnt[0].question], {})[0].answer == ()


def test_of_spans_that_overlap_those_of_both_annotators_come_first() -> None:
    spans = (Span(0, 9, ("a",)), Span(0, 4, ("a", "a")), Span(5, 9, ("b.reject",)), Span(9, 9))
    assert list(apart(spans)) == [spans[1], spans[2]]
    question = Question(
        Dialogue(id="d", events=(Utterance(agent=USER, text="Four more, etc"),)), 1, Spans(())
    )
    assert labelled(heard(question), (Span(0, 8, ("a",)),)) == ["B-a", "I-a", "O", "O"]
