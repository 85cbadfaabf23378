/** Messages without an acknowledgement; the session's storage keeps it over a reload. */

import type { Answer, Options, Outgoing } from "./message";
import type { Refusal } from "./state";

export class Outbox {
  messages: readonly Outgoing[];
  private readonly place: string;
  private readonly storage: Storage | undefined;
  private readonly promises = new Map<string, (answer: Answer) => void>();

  constructor({ key, storage }: Options) {
    this.place = `dialoom:outbox:${key}`;
    this.storage = storage;
    this.messages = this.load();
  }

  /** Keeps a message; resolves with what became of it. */
  add(message: Outgoing): Promise<Answer> {
    this.become([...this.messages, message]);
    return new Promise((resolve) => this.promises.set(message.client_msg_id, resolve));
  }

  find(id: string): Outgoing | undefined {
    return this.messages.find(({ client_msg_id }) => client_msg_id === id);
  }

  mark(id: string, status: Outgoing["status"]): void {
    this.change(id, { status });
  }

  /** The connection broke: sent messages may not have arrived. */
  unsent(): void {
    this.become(
      this.messages.map((each) => (each.status === "sent" ? { ...each, status: "waiting" } : each)),
    );
  }

  /** A message is carried out; its events are yet to come. */
  acked(id: string, seq: number): void {
    this.change(id, { status: "acked", seq });
    this.answer(id, { ok: true });
  }

  /** An event is here: the message that made it is done with, also where no `ack` came. */
  happened(seq: number, made?: string): void {
    for (const { client_msg_id, seq: last = Infinity } of this.messages) {
      if (client_msg_id === made || last <= seq) this.settle(client_msg_id, { ok: true });
    }
  }

  /** Resolves the promise of a message with its outcome. */
  private answer(id: string, answer: Answer): void {
    this.promises.get(id)?.(answer);
    this.promises.delete(id);
  }

  /** A message is done with. */
  settle(id: string, answer?: Answer): void {
    this.become(this.messages.filter(({ client_msg_id }) => client_msg_id !== id));
    if (answer) this.answer(id, answer);
  }

  /** A message was turned down, and stays to be mended. */
  fail(id: string, refusal: Refusal): void {
    this.change(id, { status: "failed", refusal });
    this.answer(id, { ok: false, refusal });
  }

  /** Forgets all messages but some; returns the others. */
  retain(wanted: (message: Outgoing) => boolean): Outgoing[] {
    const others = this.messages.filter((message) => !wanted(message));
    for (const { client_msg_id } of others) {
      this.settle(client_msg_id, { ok: false, refusal: { code: "wrong_step", what: "" } });
    }
    return others;
  }

  private change(id: string, more: Partial<Outgoing>): void {
    this.become(
      this.messages.map((each) => (each.client_msg_id === id ? { ...each, ...more } : each)),
    );
  }

  private become(messages: Outgoing[]): void {
    this.messages = messages;
    try {
      this.storage?.setItem(this.place, JSON.stringify(messages));
    } catch {
      // Storage may be full or switched off: the outbox then lives as long as the page.
    }
  }

  private load(): Outgoing[] {
    try {
      return JSON.parse(this.storage?.getItem(this.place) ?? "[]") as Outgoing[];
    } catch {
      return [];
    }
  }
}
