/** Marked pieces: the places of a field are those of the text that the server has. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { placeIn, points } from "../src/document/saving";

/** A text as a field shows it: HTML makes a line feed of every line break. */
const shown = (text: string): string => text.replace(/\r\n?/g, "\n");

const PIECE = "latte";
const TEXTS = [
  "A large latte, please.",
  "A large\r\nlatte\r\n, please.",
  "A large\rlatte, please.",
  "\r\n\r\n\r latte",
  "A\u2028large\u2029latte",
  "Cafe\u0301, 😀 large\r\nlatte 👩‍👩‍👧",
  "\n\rlatte",
];

for (const text of TEXTS) {
  test(`a piece of ${JSON.stringify(text)} is marked where it stands`, () => {
    const field = shown(text);
    const from = field.indexOf(PIECE);
    const [start, end] = [placeIn(text, from), placeIn(text, from + PIECE.length)];
    assert.equal(text.slice(start, end), PIECE);
    const first = points(text.slice(0, start)).length;
    assert.equal(
      points(text)
        .slice(first, first + PIECE.length)
        .join(""),
      PIECE,
    );
    assert.equal(placeIn(text, field.length), text.length);
  });
}
