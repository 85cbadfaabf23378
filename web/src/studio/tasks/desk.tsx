/** You are the wizard: a simulated user talks; you answer with the pieces of a study's page. */

import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { post } from "../../api";
import { Lines } from "../../chat";
import type { Answer, Outgoing } from "../../message";
import { WireContext } from "../../parts";
import type { Refusal, UnitEvent, WizardRoom } from "../../state";
import { t } from "../../texts";
import type { Wire } from "../../wire";
import { Standing } from "../../wizard/chart";
import { Items } from "../../wizard/items";
import { Replies } from "../../wizard/replies";
import { Queries } from "../../wizard/wizard";
import { reason } from "../reason";
import type { PanelProps, TaskText } from "./types";
import "../../style/unit.css";
import "../../style/wizard.css";

export { ready } from "../../wizard/wizard";

interface Held {
  room: WizardRoom;
  events: Omit<UnitEvent, "type">[];
  goal: string;
  /** The number of messages that were carried out. */
  taken: number;
  refusal: Refusal | null;
}

/** Takes the place of a study's connection: each answer comes from the whole talk again. */
class Rehearsal {
  state: { room: WizardRoom } | null = null;
  events: UnitEvent[] = [];
  outbox: Outgoing[] = [];
  goal = "";
  problem = "";
  private sent: { type: string }[] = [];
  private text: (TaskText & { seed: number }) | null = null;
  private readonly listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly dismiss = (id: string): void => {
    this.outbox = this.outbox.filter(({ client_msg_id }) => client_msg_id !== id);
    this.changed();
  };

  get begun(): boolean {
    return this.sent.length > 0;
  }

  /** Holds the talk with another text, as far as that allows what was said. */
  hold(text: TaskText, seed: number): void {
    if (seed !== this.text?.seed) this.sent = [];
    this.text = { ...text, seed };
    void this.ask(this.sent).then((refusal) => {
      if (!refusal || this.problem) return;
      this.problem = t("studio.desk.cut");
      this.changed();
    });
  }

  back(): void {
    // what is chosen from suggestions goes with them
    const last = this.sent.findLastIndex(({ type }) => type !== "suggest");
    this.sent = this.sent.slice(0, Math.max(last, 0));
    void this.ask(this.sent);
  }

  readonly send = async (type: string, body: object = {}, shown?: string): Promise<Answer> => {
    const message = { client_msg_id: String(this.sent.length), type, body, status: "sent", shown };
    this.outbox = [message as Outgoing];
    this.changed();
    const wanted = [...this.sent, { type, ...body }];
    const refusal = await this.ask(wanted);
    return refusal ? { ok: false, refusal } : { ok: true };
  };

  private async ask(sent: { type: string }[]): Promise<Refusal | null> {
    const text = this.text;
    try {
      const held = await post<Held>("/api/tasks/wizard", { ...text, sent });
      if (text !== this.text) return null; // an edit came in between
      this.sent = sent.slice(0, held.taken);
      this.state = { room: held.room };
      this.events = held.events.map((event) => {
        const { seq, time, ...what } = event as unknown as { seq: number; time: number };
        return { type: "event", seq, time, event: what as UnitEvent["event"] };
      });
      this.goal = held.goal;
      this.problem = "";
      return held.refusal;
    } catch (error) {
      this.problem = reason(error);
      return { code: "failed", what: this.problem };
    } finally {
      this.outbox = [];
      this.changed();
    }
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
  }
}

export function Desk({ sound, switcher }: PanelProps & { switcher: ComponentChildren }) {
  const wire = useMemo(() => new Rehearsal(), []);
  const [seed, setSeed] = useState(0);
  const [, draw] = useState(0);
  const [retry, setRetry] = useState({ text: "", count: 0, find: false });
  const title = useRef(document.title).current;
  useEffect(() => wire.subscribe(() => draw((n) => n + 1)), [wire]);
  useEffect(() => {
    if (sound) wire.hold(sound, seed);
  }, [wire, sound, seed]);
  useEffect(
    () => () => {
      document.title = title; // Replies says there whose turn it is
    },
    [title],
  );
  const fill = (text: string, find: boolean) =>
    setRetry((before) => ({ text, find, count: before.count + 1 }));
  const room = wire.state?.room;
  const task = room?.tasks[0];
  const place = task && room.flow[task.id];
  return (
    <WireContext.Provider value={wire as unknown as Wire}>
      <div class="panel desk-panel">
        <div class="row apart">
          {switcher}
          <span class="row">
            <button type="button" class="small" disabled={!wire.begun} onClick={() => wire.back()}>
              {t("studio.talk.back")}
            </button>
            <button type="button" class="small" onClick={() => setSeed(seed + 1)}>
              {t("studio.talk.new")}
            </button>
          </span>
        </div>
        {wire.problem && <p class="notice bad">{wire.problem}</p>}
        {room && task && place && (
          <>
            <div class="talk-column">
              <Lines role="wizard" onRetry={(text) => fill(text, false)} />
              {room.turn === "wizard" ? (
                <Replies room={room} retry={retry} />
              ) : (
                <p class="notice" role="status">
                  {t("studio.desk.over")}
                </p>
              )}
              <details>
                <summary class="small">{t("studio.desk.goal")}</summary>
                <p class="small goal">{wire.goal}</p>
              </details>
            </div>
            <div class="desk">
              <section class="card">
                <Standing place={place} said="" task={task} onUse={(text) => fill(text, true)} />
              </section>
              <Queries room={room} task={task} />
              <Items room={room} />
            </div>
          </>
        )}
      </div>
    </WireContext.Provider>
  );
}
