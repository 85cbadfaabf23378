/** The texts: whatever the server may say, the pages have words for it. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import admin from "../src/admin/admin.en.json";
import first from "../src/lang/en.json";
import { maybe, spaced, span, t, teach } from "../src/texts";

const en = { ...first, ...admin };
teach(admin);

const protocol = readFileSync("../docs/reference/wire-protocol.md", "utf-8");

/** The codes in the last column but `after` of a section's tables, or those in one of its lines. */
const codes = (text: string): string[] =>
  [...text.matchAll(/`([a-z_]+)`/g)].map(([, it]) => it ?? "");

function section(title: string): string {
  const found = protocol.split(/^##+ /m).find((each) => each.startsWith(title));
  assert.ok(found, `no section ${title}`);
  return found;
}

/** Codes that only a faulty client meets; the join page has one sentence for them. */
const FAULTY = ["malformed", "too_large", "cross_origin"];

test("every refusal of a join has a sentence", () => {
  const rows = section("Joining")
    .split("\n")
    .filter((line) => /^\| \d/.test(line));
  const told = rows.flatMap((row) => codes(row.split("|")[2] ?? ""));
  assert.ok(told.length > 9);
  const lacking = told.filter((code) => !FAULTY.includes(code) && !(`join.${code}` in en));
  assert.deepEqual(lacking, []);
});

test("every refusal of a message has a sentence", () => {
  const rows = section("7.")
    .split("\n")
    .filter((line) => line.startsWith("| `"));
  const told = rows.flatMap((row) => codes((row.split("|")[1] ?? "").replace(/\[.*\]/, "")));
  assert.ok(told.length > 15);
  // These two are sent again, and nobody is told.
  const silent = ["slow_down", "unavailable"];
  const lacking = told.filter((code) => !silent.includes(code) && !(`refused.${code}` in en));
  assert.deepEqual(lacking, []);
});

test("every reason to wait, every outcome and every reason not to go on has a sentence", () => {
  const state = section("5.").replace(/\s+/g, " ");
  const listed = (start: string): string[] => {
    const from = state.slice(state.indexOf(start));
    return codes(from.slice(start.length, from.search(/[;)]/)));
  };
  for (const reason of listed("`reason` why they wait:")) {
    if (reason !== "away") assert.ok(`admin.why.${reason}` in en, reason);
    assert.ok(`waiting.${reason}` in en, reason);
  }
  assert.ok(listed("`reason` why they wait:").length > 8);
  assert.ok(listed("`outcome` (").length > 5);
  for (const outcome of listed("`outcome` (")) {
    assert.ok(`done.${outcome}` in en && `done.${outcome}.text` in en, outcome);
  }
  for (const reason of listed("`next_reason` (")) assert.ok(`next.${reason}` in en, reason);
});

test("no sentence stands outside the catalogues", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf-8" });
  const pages = files.filter((name) => name.endsWith(".tsx"));
  assert.ok(pages.length > 15);
  const stray = pages.flatMap((name) => {
    const text = readFileSync(`src/${name}`, "utf-8");
    const words = [...text.matchAll(/>\s*([A-Za-z][^<>{}=;()|&]*[a-z])\s*<\//g)];
    return words.map(([, said]) => `${name}: ${said}`);
  });
  // names of keys and commands
  assert.deepEqual(
    stray.filter((each) => !/: (dialoom\b.*|Enter)$/.test(each)),
    [],
  );
});

test("places are filled, and what is unknown falls back", () => {
  assert.equal(t("admin.unit", { number: 3 }), "Unit 3");
  assert.equal(t("admin.unit"), "Unit {number}");
  assert.equal(maybe("refused.sky", "as the server says"), "as the server says");
  assert.equal(spaced("AveragePrice"), "Average price");
  assert.equal(spaced("open_on"), "Open on");
  assert.deepEqual([0, 999, 61_000, -5].map(span), ["0:00", "0:01", "1:01", "0:00"]);
});
