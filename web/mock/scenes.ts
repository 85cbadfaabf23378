/** What the scripted server shows, by name. */

import type { Outgoing } from "../src/message";
import type { State, Step, Unit, UnitEvent } from "../src/state";
import rooms from "./rooms.json";

interface Scene {
  state: State;
  now?: number;
  events?: UnitEvent[];
  /** Frames after the events. */
  next?: unknown[];
  outbox?: Outgoing[];
  /** The connection breaks, and does not come back. */
  lost?: boolean;
  /** Nothing is answered. */
  mute?: boolean;
}

const NOW = Date.now();

const base = (step: Step, more: Partial<State>): State => ({
  assignment: 7,
  step,
  stage: "single",
  mode: "direct",
  language: new URLSearchParams(location.search).get("lang") ?? "en",
  study: { name: "Restaurants and hotels", pilot: false, open: false },
  worker: "w-7",
  role: null,
  can_leave: true,
  grace: 60,
  currency: "USD",
  part_per_minute: 0,
  items: { done: 0, wanted: 1 },
  warned: false,
  ...more,
});

const room = { kind: "room", gate: "none", role: null, items: 1, minutes: null };

const consent = {
  purpose:
    "We collect dialogues between people who want something done and people who help them. With them we study how an assistant can learn a task from a written description of it.",
  earnings: [{ ...room, stage: "single", base: 100, most: 140 }],
  text: "You can ask us anything before, during and after the study.\n\nYou have to be at least 18 years old.",
  contact: "study@lab.example",
  version: "2",
  retention: 365,
  waiting_per_minute: 15,
  here: "single" as const,
  approval: null,
  approved: null,
  country: null,
  kind: "room",
  rating: true,
};

const star = {
  ...consent,
  earnings: [
    { ...room, stage: "single_tutorial", kind: "quiz", base: 200, most: 250 },
    { ...room, stage: "single", base: 100, most: 140 },
    { ...room, stage: "multi_tutorial", kind: "quiz", base: 200, most: 250 },
    { ...room, stage: "multi", base: 190, most: 340 },
  ],
  here: "single_tutorial" as const,
  approval: 98,
  country: "US",
};

const question = (id: string, answered: string | null, tried: string[], hint: string | null) => ({
  id,
  text: "Who writes the first message of a dialogue?",
  options: [
    { id: "a", text: "The assistant, to greet the user" },
    { id: "b", text: "The user" },
    { id: "c", text: "Whoever is there first" },
  ],
  several: false,
  hint,
  tried,
  answered,
});

const quiz = {
  questions: [
    question("q1", "b", [], null),
    question("q2", null, ["a"], "Think of who has a wish."),
    question("q3", null, [], null),
  ],
  hints: 1,
  most_to_pass: 6,
  fewer_to_be_paid: 9,
  few: 3,
  pay: { base: 200, no_hint: 50, few_hints: 25 },
};

const waiting = {
  ready: true,
  roles: ["user" as const, "wizard" as const],
  since: NOW - 83_000,
  until: NOW + 517_000,
  first: false,
  cents: 15,
  per_minute: 15,
  reason: "partner" as const,
  present_as: "person" as const,
  kind: "room",
  call: true,
};

type Side = { room: unknown; events: unknown[] };

const seated = (side: Side, more: Record<string, unknown> = {}): Scene => ({
  state: base("room", {
    room: {
      ...(side.room as Unit),
      number: 1,
      seat_token: "t",
      generation: 1,
      partner: "here",
      partner_until: null,
      idle_warning_at: null,
      idle_at: null,
      ...more,
    } as Unit,
  }),
  events: side.events as UnitEvent[],
});

const say = (text: string, more: Partial<Outgoing>): Outgoing => ({
  client_msg_id: `c-${text.length}`,
  base_seq: 6,
  type: "say",
  body: { text },
  room: 1,
  status: "waiting",
  shown: text,
  ...more,
});

const questionnaire = {
  role: "user" as const,
  questions: [
    { id: "t1", text: "Did the assistant book the hotel that you named?", common: false },
    { id: "t2", text: "Did the assistant get your days right?", common: false },
    { id: "natural", text: "Did the conversation feel natural?", common: true },
  ],
  rating: true,
  comment: true,
  until: NOW + 280_000,
  partner: "here" as const,
};

const done = {
  parts: null,
  verdict: null,
  outcome: "completed" as const,
  code: "K7Q2-MH4D",
  booked: [{ kind: "payment", cents: 100, reason: "dialogue" }],
  cents: 100,
  review: false,
  redirect: null,
  form: null,
  pending: 0,
  debriefing: null,
  quiz: null,
  next: null,
  erased: false,
  contact: "",
  next_reason: null,
};

export const scenes: Record<string, Scene> = {
  join: { state: base("consent", { consent }) },
  "join-used": { state: base("consent", { consent }) },
  consent: { state: base("consent", { consent }) },
  star: { state: base("consent", { consent: star, mode: "star", stage: "single_tutorial" }) },
  tutorial: {
    state: base("tutorial", {
      quiz,
      tutorial: { video: null, stage: "single_tutorial", text: null },
    }),
  },
  quiz: {
    state: base("quiz", { quiz, tutorial: { video: null, stage: "single_tutorial", text: null } }),
  },
  ready: { state: base("waiting", { waiting: { ...waiting, ready: false } }) },
  waiting: { state: base("waiting", { waiting }) },
  again: { state: base("waiting", { waiting: { ...waiting, first: true, reason: "none" } }) },
  "user-start": seated(rooms.start.user),
  user: seated(rooms.middle.user, { turn: "user" }),
  "user-multi": seated(rooms.multi.user, { turn: "user", can_accomplish: true }),
  "user-away": seated(rooms.middle.user, { partner: "away", partner_until: NOW + 42_000 }),
  "user-idle-warning": seated(rooms.middle.user, {
    turn: "user",
    idle_warning_at: NOW - 1000,
    idle_at: NOW + 200_000,
  }),
  "user-lost": {
    ...seated(rooms.middle.user, { turn: "user" }),
    lost: true,
    outbox: [say("The one at the harbour sounds good.", {})],
  },
  "user-failed": {
    ...seated(rooms.middle.user),
    outbox: [
      say("Can you book it?", {
        status: "failed",
        refusal: { code: "not_your_turn", what: "It is not your turn." },
      }),
    ],
  },
  taken: { ...seated(rooms.middle.user), next: [{ type: "taken_over" }] },
  "wizard-start": seated(rooms.start.wizard),
  wizard: seated(rooms.middle.wizard),
  "wizard-suggest": seated(rooms.single.wizard),
  "wizard-reason": seated(rooms.single.wizard, { guard: "reason" }),
  "wizard-multi": seated(rooms.multi.wizard),
  questionnaire: { state: base("questionnaire", { questionnaire }) },
  done: { state: base("done", { done }) },
  "done-star": {
    state: base("done", {
      mode: "star",
      done: {
        ...done,
        booked: [],
        cents: 0,
        review: true,
        pending: 100,
        debriefing:
          "Your partner was a person, not a machine. We told you otherwise to see how people talk to machines.",
        quiz: { hints: 2, passed: true },
        erased: false,
        contact: "",
        next_reason: "review",
      },
    }),
  },
};
