/** The connection: nothing that was sent is lost, nothing is carried out twice. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { room, Tab, waiting } from "./page";

const said = (text: string) => ({ kind: "say", from: "user", text }) as const;
const texts = ({ wire }: Tab) =>
  wire.events.map(({ event }) => (event.kind === "say" ? event.text : event.kind));

test("a message is kept until it is acknowledged", async (context) => {
  const tab = new Tab(context);
  const answer = tab.wire.send("consent");
  assert.equal(tab.line.sent.length, 0, "nothing goes out before the welcome");
  tab.line.welcomes(waiting());
  assert.equal(tab.line.sent[0]?.type, "hello");
  const [id] = tab.line.ids();
  assert.deepEqual(tab.line.of("consent"), [
    { client_msg_id: id, base_seq: 0, type: "consent", body: {} },
  ]);
  assert.equal(tab.wire.outbox.length, 1);
  tab.line.ack(id);
  assert.deepEqual(await answer, { ok: true });
  assert.deepEqual(tab.wire.outbox, []);
});

test("what was not acknowledged is sent again, in order and under the same ids", (context) => {
  const tab = new Tab(context);
  tab.line.welcomes(room());
  void tab.wire.send("say", { text: "one" }, "one");
  void tab.wire.send("accomplish");
  const ids = tab.line.ids();
  tab.line.breaks();
  assert.deepEqual(
    tab.wire.outbox.map(({ status }) => status),
    ["waiting", "waiting"],
  );
  tab.passes(1);
  tab.line.welcomes(room());
  assert.equal(ids.length, 2);
  assert.deepEqual(tab.line.ids(), ids);
});

test("a reload keeps the outbox; the page is a fresh one to the server", (context) => {
  const tab = new Tab(context);
  tab.line.welcomes(room());
  tab.line.happens(1, { kind: "opened" });
  void tab.wire.send("say", { text: "one" }, "one");
  const ids = tab.line.ids();
  tab.load();
  tab.line.welcomes(room(), 2);
  assert.deepEqual(tab.line.of("hello"), [
    { type: "hello", last_seq: 0, seat_token: null, generation: null },
  ]);
  assert.deepEqual(tab.line.ids(), ids);
  assert.deepEqual(
    tab.wire.outbox.map(({ shown }) => shown),
    ["one"],
  );
});

test("after a break only what is lacking is asked for", (context) => {
  const tab = new Tab(context);
  tab.line.welcomes(room(), 4);
  tab.line.happens(1, { kind: "opened" });
  tab.line.happens(2, said("one"));
  tab.line.breaks(1012);
  assert.equal(tab.wire.link, "lost");
  tab.passes(1);
  tab.line.welcomes(room(), 4);
  assert.deepEqual(tab.line.of("hello"), [
    { type: "hello", last_seq: 2, seat_token: "token-3", generation: 1 },
  ]);
  tab.line.happens(3, said("two"));
  assert.deepEqual(texts(tab), ["opened", "one", "two"]);
  assert.equal(tab.wire.lostAt, null);
});

test("after a welcome, events from 1 on replace those shown", (context) => {
  const tab = new Tab(context);
  tab.line.welcomes(room());
  tab.line.happens(1, said("lost with the disk"));
  tab.line.tell({ type: "welcome", now: 0, generation: 1, state: room() });
  tab.line.happens(1, said("what was written"));
  assert.deepEqual(texts(tab), ["what was written"]);
});

test("an event that came before is dropped, and a gap is filled by connecting again", (context) => {
  const tab = new Tab(context);
  tab.line.welcomes(room());
  tab.line.happens(1, said("one"));
  tab.line.happens(1, said("one"));
  tab.line.happens(2, said("two"));
  tab.line.happens(2, said("two"));
  assert.deepEqual(texts(tab), ["one", "two"]);
  const line = tab.line;
  line.happens(4, said("four"));
  assert.ok(line.closed);
  tab.passes(1);
  tab.line.welcomes(room());
  assert.equal(tab.line.of("hello")[0]?.last_seq, 2);
});

test("the next room's events count from 1 again; those of the room before are dropped", (context) => {
  const tab = new Tab(context);
  tab.line.welcomes(room(3));
  tab.line.happens(1, said("in room 3"));
  tab.line.tell({ type: "state", now: 0, state: room(4) });
  assert.deepEqual(texts(tab), []);
  tab.line.happens(1, said("in room 4"), { room: 4 });
  tab.line.happens(2, said("late, of room 3"));
  assert.deepEqual(texts(tab), ["in room 4"]);
});

test("pauses between attempts grow up to five seconds, and begin anew after a welcome", (context) => {
  const tab = new Tab(context);
  tab.line.welcomes(room());
  tab.line.breaks();
  const pauses: number[] = [];
  for (let attempt = 0; attempt < 6; attempt += 1) {
    pauses.push(tab.pause());
    tab.line.breaks();
  }
  assert.deepEqual(pauses, [500, 1000, 2000, 4000, 5000, 5000]);
  tab.pause();
  tab.line.welcomes(room());
  tab.line.breaks();
  assert.equal(tab.pause(), 500);
});

test("chance makes each pause up to half shorter", (context) => {
  const tab = new Tab(context);
  context.mock.method(Math, "random", () => 0);
  tab.line.breaks();
  assert.equal(tab.pause(), 250);
});

test("who sent too much comes back after a minute", (context) => {
  const tab = new Tab(context);
  tab.line.welcomes(room());
  tab.line.breaks(4008);
  assert.equal(tab.pause(), 60_000);
});

test("a line that is silent counts as broken", (context) => {
  const tab = new Tab(context);
  tab.line.welcomes(room());
  tab.passes(10);
  assert.equal(tab.line.of("ping").length, 1);
  tab.line.tell({ type: "pong", now: 0 });
  const line = tab.line;
  tab.passes(20);
  assert.equal(tab.line, line);
  tab.passes(10);
  assert.ok(line.closed);
  assert.equal(tab.pause(), 500);
});

test("another tab takes the seat, and this one may take it back", (context) => {
  const tab = new Tab(context);
  tab.line.welcomes(room());
  tab.line.happens(1, said("one"));
  tab.line.tell({ type: "taken_over" });
  assert.equal(tab.wire.link, "taken");
  tab.passes(120);
  assert.equal(tab.lines.length, 1, "it does not fight for the seat");
  tab.wire.takeBack();
  tab.line.welcomes(room(), 3);
  assert.deepEqual(tab.line.of("hello"), [
    { type: "hello", last_seq: 0, seat_token: null, generation: null },
  ]);
  assert.equal(tab.wire.link, "open");
});

test("an unknown session joins again, an unknown seat connects as a fresh page", (context) => {
  const tab = new Tab(context);
  tab.line.welcomes(room());
  tab.line.breaks(4403);
  tab.passes(1);
  tab.line.onopen?.();
  assert.equal(tab.line.of("hello")[0]?.seat_token, null);
  assert.equal(tab.rejoined, 0);
  tab.line.breaks(4003);
  assert.equal(tab.rejoined, 1);
  assert.equal(tab.wire.link, "ended");
  tab.passes(120);
  assert.equal(tab.lines.length, 2);
});

test("what the server cannot take now is sent again later", (context) => {
  const tab = new Tab(context);
  tab.line.welcomes(room());
  void tab.wire.send("say", { text: "one" }, "one");
  const [id] = tab.line.ids();
  const refusal = { type: "refused", client_msg_id: id, what: "" };
  tab.line.tell({ ...refusal, code: "slow_down", retry_after: 7 });
  tab.passes(6.9);
  assert.deepEqual(tab.line.ids(), [id]);
  tab.passes(0.2);
  assert.deepEqual(tab.line.ids(), [id, id]);
  tab.line.tell({ ...refusal, code: "unavailable" });
  tab.line.welcomes(room());
  assert.deepEqual(tab.line.ids(), [id, id, id], "a welcome says that it can");
});

test("a line that was turned down stays to be mended; anything else is answered", async (context) => {
  const tab = new Tab(context);
  tab.line.welcomes(room());
  const shown = tab.wire.send("say", { text: "one" }, "one");
  const silent = tab.wire.send("accomplish");
  for (const id of tab.line.ids()) {
    tab.line.tell({ type: "refused", client_msg_id: id, code: "not_your_turn", what: "" });
  }
  assert.equal((await shown).ok, false);
  assert.equal((await silent).ok, false);
  const [left] = tab.wire.outbox;
  assert.deepEqual([tab.wire.outbox.length, left?.status, left?.shown], [1, "failed", "one"]);
  tab.line.breaks();
  tab.passes(1);
  tab.line.welcomes(room());
  assert.deepEqual(tab.line.ids(), [], "it is not sent again by itself");
  tab.wire.dismiss(left?.client_msg_id ?? "");
  assert.deepEqual(tab.wire.outbox, []);
});

test("a line shows until its event comes, in whatever order", (context) => {
  const tab = new Tab(context);
  tab.line.welcomes(room());
  void tab.wire.send("say", { text: "one" }, "one");
  void tab.wire.send("say", { text: "two" }, "two");
  const [one, two] = tab.line.ids();
  tab.line.ack(one, 1);
  assert.deepEqual(
    tab.wire.outbox.map(({ status }) => status),
    ["acked", "sent"],
  );
  tab.line.happens(1, said("one"), { client_msg_id: one });
  tab.line.happens(2, said("two"), { client_msg_id: two });
  assert.deepEqual(tab.wire.outbox, []);
  tab.line.ack(two, 2);
  assert.deepEqual(texts(tab), ["one", "two"]);
});

test("what was carried out counts until its event comes, its own or the last one", async (context) => {
  const tab = new Tab(context);
  tab.line.welcomes(room());
  const answer = tab.wire.send("save", { part: "0", rev: 0, value: 5 });
  const [id] = tab.line.ids();
  tab.line.ack(id, 1);
  assert.deepEqual(await answer, { ok: true });
  void tab.wire.send("accomplish");
  tab.line.ack(tab.line.ids()[1], 3);
  const kept = () => tab.wire.outbox.map(({ type, status }) => `${type} ${status}`);
  assert.deepEqual(kept(), ["save acked", "accomplish acked"]);
  tab.line.happens(1, { kind: "saved", part: "0", rev: 1, value: 5 }, { client_msg_id: id });
  assert.deepEqual(kept(), ["accomplish acked"]);
  tab.line.happens(2, said("what it led to"));
  tab.line.happens(3, { kind: "accomplished" });
  assert.deepEqual(kept(), []);
});

test("what was acknowledged in a room that is over does not stay", (context) => {
  const tab = new Tab(context);
  tab.line.welcomes(room(3));
  void tab.wire.send("say", { text: "one" }, "one");
  tab.line.ack(tab.line.ids()[0], 1);
  tab.line.breaks();
  tab.passes(1);
  tab.line.welcomes(room(4));
  assert.deepEqual(tab.wire.outbox, []);
});

test("what was meant for one room is never said in the next", async (context) => {
  const tab = new Tab(context);
  tab.line.welcomes(room(3));
  tab.line.breaks();
  const answer = tab.wire.send("say", { text: "to the one before" }, "to the one before");
  tab.passes(1);
  tab.line.welcomes(room(4));
  assert.deepEqual(tab.line.ids(), []);
  assert.deepEqual(tab.wire.outbox, []);
  assert.equal((await answer).ok, false);
  assert.deepEqual(tab.wire.unsaid, ["to the one before"], "and the page tells of it");
  tab.wire.unsaidRead();
  assert.deepEqual(tab.wire.unsaid, []);
});

test("a text of the most characters is sent in any script, with a reason", (context) => {
  const tab = new Tab(context);
  tab.line.welcomes(room());
  for (const letter of ["x", "\u4e2d", "\u{1f600}"]) {
    const text = letter.repeat(2000);
    void tab.wire.send("say", { text, reason: text }, text);
  }
  assert.equal(tab.line.ids().length, 3);
});

test("a message over the limit is not sent, and its text is not lost", async (context) => {
  const tab = new Tab(context);
  tab.line.welcomes(room());
  const text = "\u4e2d".repeat(30_000);
  const answer = await tab.wire.send("say", { text }, text);
  assert.equal(answer.ok === false && answer.refusal.code, "too_large");
  assert.deepEqual(tab.line.ids(), []);
  assert.equal(tab.wire.outbox[0]?.status, "failed");
  assert.equal(tab.wire.outbox[0]?.shown, text);
});

test("an idle warning, presence and the server's clock", (context) => {
  const tab = new Tab(context);
  tab.line.welcomes(room());
  tab.line.tell({ type: "state", now: Date.now() + 5000, state: room() });
  assert.equal(tab.wire.clock(), Date.now() + 5000);
  tab.line.tell({ type: "idle_warning", since: 1, until: 2 });
  tab.line.tell({ type: "presence", partner: "away", until: 3 });
  assert.deepEqual(tab.wire.idleWarning, { until: 2 });
  assert.deepEqual(tab.wire.partner, { partner: "away", until: 3 });
  tab.line.tell({ type: "state", now: 0, state: room(3, "wizard") });
  assert.equal(tab.wire.idleWarning, null, "it is the partner's turn");
  assert.equal(tab.wire.partner, null, "the state says it");
});

test("of a room only what changed is told", (context) => {
  const tab = new Tab(context);
  tab.line.welcomes(room());
  tab.line.tell({ type: "room", now: Date.now() + 2000, room: { turn: "wizard" } });
  assert.equal(tab.wire.state?.room?.turn, "wizard");
  assert.equal(tab.wire.state?.room?.seat_token, "token-3");
  assert.equal(tab.wire.clock(), Date.now() + 2000);
});

test("frames and keys that are not known are passed over", (context) => {
  const tab = new Tab(context);
  tab.line.welcomes(room());
  tab.line.tell({ type: "confetti", amount: 3 });
  tab.line.happens(1, said("one"), { colour: "red" });
  assert.deepEqual(texts(tab), ["one"]);
});
