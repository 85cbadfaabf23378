/** A page without a browser: a clock that stands, a storage, and lines that the test answers. */

import type { TestContext } from "node:test";
import type { Socket } from "../src/message";
import type { Happening, State } from "../src/state";
import { Wire } from "../src/wire";

type Sent = Record<string, unknown> & { type: string };

/** One connection, the server's end of it in the test's hands. */
export class Line implements Socket {
  readonly sent: Sent[] = [];
  closed = false;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  close(): void {
    this.closed = true;
  }

  tell(frame: object): void {
    this.onmessage?.({ data: JSON.stringify(frame) });
  }

  breaks(code = 1006): void {
    this.onclose?.({ code, reason: "" });
  }

  /** What was sent of a type. */
  of(type: string): Sent[] {
    return this.sent.filter((frame) => frame.type === type);
  }

  /** The ids of the messages, in the order in which they were sent. */
  ids(): unknown[] {
    return this.sent.flatMap(({ client_msg_id }) => (client_msg_id ? [client_msg_id] : []));
  }

  ack(id: unknown, seq = 0): void {
    this.tell({ type: "ack", client_msg_id: id, seq });
  }

  happens(seq: number, event: Happening, more: object = {}): void {
    this.tell({ type: "event", room: 3, seq, time: 0, event, ...more });
  }

  welcomes(state: State, generation = 1): void {
    this.onopen?.();
    this.tell({ type: "welcome", now: Date.now(), assignment: 7, generation, state });
  }
}

class Kept implements Storage {
  private readonly values = new Map<string, string>();
  get length(): number {
    return this.values.size;
  }
  clear(): void {
    this.values.clear();
  }
  getItem(key: string): string | null {
    return this.values.get(key) ?? null;
  }
  key(place: number): string | null {
    return [...this.values.keys()][place] ?? null;
  }
  removeItem(key: string): void {
    this.values.delete(key);
  }
  setItem(key: string, value: string): void {
    this.values.set(key, value);
  }
}

/** A tab: its pages come one after the other, and share a storage. */
export class Tab {
  readonly lines: Line[] = [];
  rejoined = 0;
  wire: Wire;
  private readonly storage = new Kept();

  constructor(private readonly context: TestContext) {
    context.mock.timers.enable({
      apis: ["setTimeout", "setInterval", "Date"],
      now: 1_700_000_000_000,
    });
    context.mock.method(Math, "random", () => 1);
    Object.assign(globalThis, {
      document: Object.assign(new EventTarget(), { visibilityState: "visible" }),
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    });
    this.wire = this.load();
    context.after(() => this.wire.close());
  }

  /** The page is loaded, or loaded anew. */
  load(): Wire {
    this.wire?.close();
    this.wire = new Wire({
      key: "link",
      open: () => {
        const line = new Line();
        this.lines.push(line);
        return line;
      },
      rejoin: () => {
        this.rejoined += 1;
      },
      storage: this.storage,
    });
    return this.wire;
  }

  /** The newest connection. */
  get line(): Line {
    const line = this.lines.at(-1);
    if (!line) throw new Error("nothing was opened");
    return line;
  }

  passes(seconds: number): void {
    this.context.mock.timers.tick(seconds * 1000);
  }

  /** Milliseconds until the next connection is opened. */
  pause(): number {
    const before = this.lines.length;
    for (let ms = 0; ms <= 120_000; ms += 50) {
      if (this.lines.length > before) return ms;
      this.context.mock.timers.tick(50);
    }
    throw new Error("no further connection is opened");
  }
}

const BASE = {
  assignment: 7,
  stage: "single",
  mode: "direct",
  language: "en",
  study: { name: "Study", pilot: false, open: false },
  worker: "w-7",
  role: "user",
  can_leave: true,
  grace: 60,
  currency: "USD",
  part_per_minute: 0,
  items: { done: 0, wanted: 1 },
  warned: false,
} as const;

export const waiting = (): State => ({ ...BASE, step: "waiting" });

export const room = (number = 3, turn: "user" | "wizard" = "user"): State => ({
  ...BASE,
  step: "room",
  room: {
    role: "user",
    number,
    turn,
    seat_token: `token-${number}`,
    generation: 1,
    partner: "here",
    text: "",
    idle_warning_at: null,
    idle_at: null,
    can_accomplish: false,
    accomplish_lacks: "turns",
  },
});
