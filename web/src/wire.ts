/**
 * The connection to the server: messages are kept until they are acknowledged.
 *
 * A message gets its id here and stays in the session's storage until the server has committed it
 * (`ack`) or turned it down (`refused`). After a lost connection everything that is left is sent
 * again, in order and with the same ids; the server applies each of them once.
 */

import {
  type Answer,
  fresh,
  LARGEST,
  type Link,
  type Options,
  type Outgoing,
  type Socket,
  size,
} from "./message";
import { Outbox } from "./outbox";
import {
  AGAIN,
  PENANCE,
  PING,
  pauseBefore,
  SILENCE,
  TAKEN,
  TOO_MUCH,
  UNKNOWN_SEAT,
  UNKNOWN_SESSION,
} from "./reconnecting";
import type { Presence } from "./seat";
import type { Frame, Refusal, State, Unit, UnitEvent } from "./state";

interface Seat {
  token: string | null;
  generation: number | null;
}

export class Wire {
  link: Link = "connecting";
  state: State | null = null;
  events: UnitEvent[] = [];
  /** Milliseconds (our clock) since when the connection is lost. */
  lostAt: number | null = null;
  /** Server's clock minus ours, ms. */
  offset = 0;
  /** An idle warning: until when (server's clock) the turn may take; null where there is none. */
  idleWarning: { until: number | null } | null = null;
  /** Texts whose dialogue ended before it was known that they arrived. */
  unsaid: readonly string[] = [];
  /** Presence of the partner. */
  partner: { partner: Presence; until: number | null } | null = null;

  private socket: Socket | null = null;
  private readonly listeners = new Set<() => void>();
  private readonly box: Outbox;
  private readonly now: () => number;
  /** For this page only: a page loaded anew is a fresh one to the server. */
  private seat: Seat = { token: null, generation: null };
  private unit: number | null = null;
  private lastSeq = 0;
  private attempts = 0;
  private heard = 0;
  private ready = false;
  private welcomed = false;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private resend: ReturnType<typeof setTimeout> | undefined;
  private readonly beat: ReturnType<typeof setInterval>;

  constructor(private readonly options: Options) {
    this.now = options.now ?? Date.now;
    this.box = new Outbox(options);
    this.beat = setInterval(() => this.watch(), PING);
    addEventListener("online", this.hurry);
    document.addEventListener("visibilitychange", this.hurry);
    addEventListener("pagehide", this.rest);
    addEventListener("pageshow", this.hurry);
    this.connect();
  }

  /** Server's time now, ms. */
  clock(): number {
    return this.now() + this.offset;
  }

  /** Messages without an acknowledgement, in order. */
  get outbox(): readonly Outgoing[] {
    return this.box.messages;
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Puts a message on its way; resolves once the server took it or turned it down. */
  send(type: string, body: Record<string, unknown> = {}, shown?: string): Promise<Answer> {
    const message: Outgoing = {
      client_msg_id: `c-${fresh()}`,
      base_seq: this.lastSeq,
      type,
      body,
      room: this.state?.room?.number ?? null,
      status: "waiting",
      ...(shown === undefined ? {} : { shown }),
    };
    this.idleWarning = null;
    const answer = this.box.add(message);
    if (size(message) > LARGEST) this.turnDown(message, { code: "too_large", what: "" });
    else if (this.ready) this.transmit(message);
    this.changed();
    return answer;
  }

  /** Forgets a message that was turned down. */
  dismiss(id: string): void {
    this.box.settle(id);
    this.changed();
  }

  /** The texts that were not said are read. */
  unsaidRead(): void {
    this.unsaid = [];
    this.changed();
  }

  /** Takes the seat back from another tab. */
  takeBack(): void {
    this.afresh();
    this.link = "connecting";
    this.attempts = 0;
    this.connect();
    this.changed();
  }

  /** Ends the connection. */
  close(): void {
    this.link = "ended";
    clearTimeout(this.retry);
    clearTimeout(this.resend);
    clearInterval(this.beat);
    removeEventListener("online", this.hurry);
    document.removeEventListener("visibilitychange", this.hurry);
    removeEventListener("pagehide", this.rest);
    removeEventListener("pageshow", this.hurry);
    this.drop();
  }

  // --- the line -------------------------------------------------------------------------------

  private connect(): void {
    clearTimeout(this.retry);
    this.drop();
    const socket = this.options.open();
    this.socket = socket;
    this.heard = this.now();
    socket.onopen = () => {
      const { token, generation } = this.seat;
      this.put({ type: "hello", last_seq: this.lastSeq, seat_token: token, generation });
    };
    socket.onmessage = (event) => {
      if (socket !== this.socket) return;
      this.heard = this.now();
      this.take(JSON.parse(event.data) as Frame);
      this.changed();
    };
    socket.onclose = (event) => {
      if (socket === this.socket) this.lost(event.code);
    };
  }

  private drop(): void {
    const socket = this.socket;
    this.socket = null;
    this.ready = false;
    if (!socket) return;
    socket.onopen = null;
    socket.onmessage = null;
    socket.onclose = null;
    socket.close();
  }

  private lost(code: number): void {
    this.drop();
    if (this.link === "taken" || this.link === "ended") return;
    if (code === TAKEN) this.link = "taken";
    else if (code === UNKNOWN_SESSION) {
      this.link = "ended";
      this.options.rejoin?.();
    } else {
      if (code === UNKNOWN_SEAT) this.afresh();
      this.link = this.state ? "lost" : "connecting";
      this.lostAt ??= this.now();
      this.box.unsent();
      this.schedule(code === TOO_MUCH ? PENANCE : 0);
    }
    this.changed();
  }

  private schedule(least: number): void {
    const pause = Math.max(least, pauseBefore(this.attempts));
    this.attempts += 1;
    this.retry = setTimeout(() => this.connect(), pause);
  }

  private readonly hurry = (): void => {
    if (document.visibilityState === "hidden") return;
    if (this.link === "lost" || (this.link === "connecting" && !this.socket)) {
      this.attempts = 0;
      this.connect();
    }
  };

  /** Somebody goes elsewhere in this tab: the browser may keep page and socket for a way back. */
  private readonly rest = (): void => {
    if (this.link === "taken" || this.link === "ended") return;
    clearTimeout(this.retry);
    this.drop();
    this.link = this.state ? "lost" : "connecting";
    this.lostAt ??= this.now();
    this.box.unsent();
    this.changed();
  };

  /** Pings; a line that stays silent is dead even if nobody said so. */
  private watch(): void {
    if (!this.socket || this.link === "taken" || this.link === "ended") return;
    if (this.now() - this.heard > SILENCE) this.lost(0);
    else if (this.ready) this.put({ type: "ping" });
  }

  private put(frame: Record<string, unknown>): void {
    try {
      this.socket?.send(JSON.stringify(frame));
    } catch {
      this.lost(0);
    }
  }

  private transmit(message: Outgoing): void {
    const { client_msg_id, base_seq, type, body } = message;
    this.box.mark(client_msg_id, "sent");
    this.put({ client_msg_id, base_seq, type, body });
  }

  private transmitAll(): void {
    for (const message of this.outbox) {
      if (message.status === "waiting" || message.status === "sent") this.transmit(message);
    }
  }

  // --- frames ---------------------------------------------------------------------------------

  private take(frame: Frame): void {
    switch (frame.type) {
      case "welcome":
        this.welcome(frame.state, frame.now, frame.generation);
        break;
      case "state":
        this.become(frame.state, frame.now);
        break;
      case "room":
        if (this.state?.room) {
          const unit = { ...this.state.room, ...frame.room } as Unit;
          this.become({ ...this.state, room: unit }, frame.now);
        }
        break;
      case "event":
        this.event(frame);
        break;
      case "ack":
        this.acked(frame.client_msg_id, frame.seq);
        break;
      case "refused":
        this.refused(frame);
        break;
      case "idle_warning":
        this.idleWarning = { until: frame.until ?? null };
        break;
      case "presence":
        this.partner = { partner: frame.partner, until: frame.until ?? null };
        break;
      case "taken_over":
        this.link = "taken";
        this.drop();
        break;
      default:
        break;
    }
  }

  private welcome(state: State, now?: number, generation?: number): void {
    this.link = "open";
    this.lostAt = null;
    this.attempts = 0;
    this.ready = true;
    this.welcomed = true;
    if (generation !== undefined) this.seat.generation = generation;
    // The events of what was acknowledged come next.
    this.box.retain((message) => message.status !== "acked");
    this.become(state, now);
    this.transmitAll();
  }

  private become(state: State, now?: number): void {
    if (now !== undefined) this.offset = now - this.now();
    const unit = state.room;
    if (unit) {
      this.enter(unit.number);
      this.seat = {
        token: unit.seat_token,
        generation: unit.generation ?? this.seat.generation,
      };
    }
    if (!unit || unit.turn !== unit.role) this.idleWarning = null;
    this.partner = null;
    this.state = state;
    // Lines for one dialogue must not be said in the next.
    const others = this.box.retain(
      (message) => message.room === null || message.room === unit?.number,
    );
    this.unsaid = [
      ...this.unsaid,
      ...others.flatMap(({ shown, status }) => (shown && status !== "acked" ? shown : [])),
    ];
  }

  /** As a page that has just been loaded. */
  private afresh(): void {
    this.seat = { token: null, generation: null };
    this.forget();
  }

  /** Another unit: its events count from 1 again. State or event may show it first. */
  private enter(unit: number): void {
    if (unit !== this.unit) this.forget();
    this.unit = unit;
  }

  private forget(): void {
    this.events = [];
    this.lastSeq = 0;
    this.idleWarning = null;
  }

  private event(frame: UnitEvent): void {
    if (frame.room !== undefined) {
      if (this.unit !== null && frame.room < this.unit) return;
      this.enter(frame.room);
    }
    // After a welcome, events from 1 on replace those that are shown.
    if (frame.seq === 1 && this.welcomed) this.forget();
    this.welcomed = false;
    if (frame.seq <= this.lastSeq) return;
    if (frame.seq > this.lastSeq + 1) {
      this.lost(0);
      return;
    }
    this.lastSeq = frame.seq;
    this.events = [...this.events, frame];
    this.box.happened(frame.seq, frame.client_msg_id);
  }

  private acked(id: string, seq: number): void {
    // It stays until its events are here, so that nothing that it shows is gone in between.
    if (seq > this.lastSeq) this.box.acked(id, seq);
    else this.box.settle(id, { ok: true });
  }

  private refused(frame: Refusal & { client_msg_id?: string | null }): void {
    if (frame.code === "unavailable" || frame.code === "slow_down") {
      this.later(typeof frame.retry_after === "number" ? frame.retry_after * 1000 : AGAIN);
      return;
    }
    const id = frame.client_msg_id;
    const message = id ? this.box.find(id) : undefined;
    if (!id || !message) return;
    this.turnDown(message, frame);
  }

  /** A text stays to be mended; other requests get the reason of the refusal. */
  private turnDown({ client_msg_id: id, shown }: Outgoing, refusal: Refusal): void {
    if (shown !== undefined && refusal.code !== "off_flow") this.box.fail(id, refusal);
    else this.box.settle(id, { ok: false, refusal });
  }

  /** The server cannot take messages now: all that is left is sent again, in order. */
  private later(pause: number): void {
    clearTimeout(this.resend);
    this.resend = setTimeout(() => {
      if (this.ready) this.transmitAll();
      this.changed();
    }, pause);
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
  }
}
