/** The place of the cursor in a task file, also in one that is not finished. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { heldAt, keysAt, type Schema, valuesAt } from "../src/studio/tasks/grammar";
import { indentAfter, placeAt } from "../src/studio/tasks/place";

const TEXT = `task: pizza
slots:
  size:
    type: category
    values: [small, large]
    need: opt
flow:
  open:
    user:
      - Hi, {si
    then: he
apis:
  order:
    inputs:
      Size: {slot: siz
`.split("\n");

const at = (line: number) => placeAt(TEXT, line - 1, (TEXT[line - 1] ?? "").length);

test("the keys above a line lead to it", () => {
  assert.deepEqual(at(11).path, ["flow", "open"]);
  assert.equal(at(11).key, "then");
  assert.equal(at(11).word, "he");
  assert.deepEqual(at(10).path, ["flow", "open", "user"]);
});

test("a mapping in braces is a place of its own", () => {
  const place = at(15);
  assert.deepEqual(place.path, ["apis", "order", "inputs", "Size"]);
  assert.equal(place.key, "slot");
});

test("the grammar suggests what the type of a slot allows and lacks", () => {
  const named = (type: string, key: string): Schema => ({
    type: "object",
    properties: { type: { const: type }, [key]: { type: "string" }, need: { enum: ["optional"] } },
    required: [key],
  });
  const slots: Schema = {
    type: "object",
    additionalProperties: { oneOf: [named("category", "values"), named("date", "from")] },
  };
  const root: Schema = { type: "object", properties: { slots } };
  const open = placeAt([...TEXT.slice(0, 4), "    "], 4, 4);
  assert.deepEqual(
    keysAt(root, open).map(({ label }) => label),
    ["values", "need"],
  );
  assert.deepEqual(
    valuesAt(root, at(6), "need").map(({ label }) => label),
    ["optional"],
  );
});

test("a line after a key without a value begins further in", () => {
  const lines: [string, number][] = [
    ["slots:", 2],
    ["  size: # of the pizza", 4],
    ["    type: category", 4],
    ["      - Hello.", 6],
    ["  - name: a", 4],
    ["  - name:", 6],
    ["    policy: |", 6],
    ["", 0],
    ["    ", 4],
  ];
  for (const [line, column] of lines) assert.equal(indentAfter(line), column, line);
});

test("a key is required if every alternative requires it", () => {
  const [one, other] = ["a", "b"].map((name) => ({
    type: "object",
    properties: { type: { const: name }, [name]: {} },
    required: ["type", name],
  }));
  const either = { oneOf: [one, other] } as Schema;
  const place = { path: [], key: null, siblings: new Map<string, string>(), from: 0, word: "" };
  const needed = (siblings: [string, string][]) =>
    keysAt(either, { ...place, siblings: new Map(siblings) }).filter((key) => key.needed);
  assert.deepEqual(
    needed([]).map(({ label }) => label),
    ["type"],
  );
  assert.deepEqual(
    needed([["type", "b"]]).map(({ label }) => label),
    ["b"],
  );
});

test("a place without keys has names or items", () => {
  const item = { type: "string", description: "a text" };
  const held = { type: "array", items: item, description: "the texts" };
  const root: Schema = {
    type: "object",
    properties: { said: { type: "object", additionalProperties: held } },
  };
  const place = { key: null, siblings: new Map<string, string>(), from: 0, word: "" };
  assert.deepEqual(heldAt(root, { ...place, path: ["said"] }), { name: "the texts", item: null });
  assert.deepEqual(heldAt(root, { ...place, path: ["said", "x"] }), { name: null, item: "a text" });
});
