/** Spans of a line: what is chosen and labelled is at the places that the server counts. */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  drawn,
  pieces,
  points,
  spanAt,
  stepped,
  trimmed,
  turned,
  withEnding,
  without,
  withSpan,
} from "../src/document/spans";
import type { MarkedSpan } from "../src/document/state";

const PIECE = "latte";
const TEXTS = [
  "A large latte, please.",
  "A large\r\nlatte\r\n, please.",
  "\r\n\r\n\r latte",
  "Cafe\u0301, 😀 large\r\nlatte 👩‍👩‍👧",
  "latte",
];
const KEYS = { shiftKey: false, ctrlKey: false };

const labelled = (text: string, piece: string, ...labels: string[]): MarkedSpan => {
  const from = text.indexOf(piece);
  return { ...spanAt(text, [], { from, to: from + piece.length }), labels };
};

for (const text of TEXTS) {
  test(`a piece of ${JSON.stringify(text)} has the server's places`, () => {
    const { start, end } = labelled(text, PIECE);
    assert.equal(points(text).slice(start, end).join(""), PIECE);
    const [only] = drawn(text, [labelled(text, PIECE, "drink")]);
    assert.equal(text.slice(only?.from, only?.to), PIECE);
  });

  test(`the pieces of ${JSON.stringify(text)} are all of it`, () => {
    const all = pieces(text, drawn(text, [labelled(text, PIECE, "drink")]), null);
    assert.equal(all.map((piece) => piece.text).join(""), text);
    assert.deepEqual(
      all.filter(({ ends }) => ends.length).map((piece) => piece.text),
      [PIECE],
    );
  });
}

test("labels that overlap lie in lanes of their own, the longer one farther away", () => {
  const text = "a large café latte";
  const spans = [labelled(text, "large café latte", "drink"), labelled(text, "large", "size")];
  const lanes = drawn(text, spans).map(({ label, lane }) => [label, lane]);
  assert.deepEqual(lanes, [
    ["size", 0],
    ["drink", 1],
  ]);
  const [large] = pieces(text, drawn(text, spans), null).filter(({ ends }) => ends.length);
  assert.equal(large?.under.length, 2);
});

test("arrow keys choose words, and with Shift and Ctrl more, fewer and other characters", () => {
  const text = "At 7:30, café-latte!";
  const chosen = (range: { from: number; to: number } | null) =>
    range && text.slice(range.from, range.to);
  const first = stepped(text, null, 1, KEYS);
  const time = stepped(text, first, 1, KEYS);
  assert.deepEqual([chosen(first), chosen(time)], ["At", "7:30"]);
  assert.equal(chosen(stepped(text, null, -1, KEYS)), "!");
  assert.equal(chosen(stepped(text, time, -1, KEYS)), "At");
  const longer = stepped(text, first, 1, { ...KEYS, shiftKey: true });
  assert.equal(chosen(longer), "At 7:30");
  assert.equal(chosen(stepped(text, longer, -1, { ...KEYS, shiftKey: true })), "At");
  assert.equal(chosen(stepped(text, time, -1, { ...KEYS, shiftKey: true })), "At 7:30");
  assert.equal(chosen(stepped(text, time, 1, { ...KEYS, ctrlKey: true })), ":30");
  assert.equal(chosen(stepped(text, time, -1, { shiftKey: true, ctrlKey: true })), "7:3");
  assert.equal(stepped("", null, 1, KEYS), null);
});

test("a label comes and goes, with an ending or without", () => {
  const text = "a large latte";
  const span = labelled(text, "large");
  const once = withSpan([], { ...span, labels: turned([], "size") });
  assert.deepEqual(once, [{ ...span, labels: ["size"] }]);
  assert.deepEqual(withSpan(once, { ...span, labels: turned(["size"], "size") }), []);
  const [label] = drawn(text, once);
  assert.ok(label);
  assert.deepEqual(without(once, text, label), []);
  const endings = ["accept", "reject"];
  const accepted = withEnding(["size"], "accept", endings);
  assert.deepEqual(accepted, ["size.accept"]);
  assert.deepEqual(withEnding(accepted, "reject", endings), ["size.reject"]);
  assert.deepEqual(withEnding(accepted, "accept", endings), ["size"]);
});

test("blanks around what is chosen do not count", () => {
  assert.deepEqual(trimmed("a large one", { from: 1, to: 8 }), { from: 2, to: 7 });
  assert.equal(trimmed("a  b", { from: 1, to: 3 }), null);
});
