/** From a typed text to a reply: ranked suggestions, or the text itself. */

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { underWay, useReturned } from "../chat";
import { handing, Length, Problem, TextField, tooLong, useDraft } from "../fields";
import type { Answer } from "../message";
import { Announce, useTurn, useWire } from "../parts";
import type { Candidate, Refusal, WizardRoom } from "../state";
import { reason, t } from "../texts";
import { OffFlow } from "./offflow";
import { Suggestions } from "./suggestions";

interface Props {
  room: WizardRoom;
  /** A line that was turned down comes back into the field when `count` grows. */
  retry: {
    text: string;
    count: number;
    /** Whether replies are looked for at once. */
    find: boolean;
  };
}

/** A reply that the flow guard stopped: what to send again with a reason. */
interface Stopped {
  refusal: Refusal;
  label: string;
  again: (reason: string) => Promise<Answer>;
}

export function Replies({ room, retry }: Props) {
  const wire = useWire();
  const [text, change] = useDraft(`room-${room.number}`);
  const [stopped, setStopped] = useState<Stopped | null>(null);
  const [problem, setProblem] = useState("");
  const [hidden, setHidden] = useState("");
  const [choosing, setChoosing] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const wanted = useRef<string | null>(null);
  const first = useRef<HTMLButtonElement>(null);
  const yours = room.turn === "wizard" && !underWay(wire.outbox);
  const busy = wire.outbox.some((message) => message.type === "suggest");
  const offered = yours && room.suggestions?.text !== hidden ? room.suggestions : null;

  const returned = useReturned(text, change);
  const on = yours && text.trim() !== "" && !tooLong(text);

  useTurn(yours, field);
  useEffect(() => setProblem(""), [room.task]);
  useEffect(() => {
    if (retry.count === 0) return;
    change([retry.text, retry.find ? "" : text].filter(Boolean).join("\n"));
    field.current?.focus();
    if (retry.find) void suggest(retry.text);
  }, [retry.count]);

  /** Sends a reply; one that the guard stops is asked about. */
  const put = async (label: string, send: (reason?: string) => Promise<Answer>) => {
    const typed = text;
    const answer = await send();
    if (!answer.ok && ["off_flow", "reason_wanted"].includes(answer.refusal.code)) {
      setStopped({ refusal: answer.refusal, label, again: send });
    } else if (answer.ok) {
      if (field.current?.value === typed) change("");
      field.current?.focus();
    }
  };
  const pick = ({ id, text: filled }: Candidate) =>
    put(filled ?? id, (reason) =>
      wire.send("pick", { action: id, ...(reason ? { reason } : {}) }, filled ?? id),
    );
  const custom = () => {
    const said = text.trim();
    if (!on) return;
    void put(said, (reason) =>
      wire.send("say", { text: said, ...(reason ? { reason } : {}) }, said),
    );
  };
  const suggest = async (wished = text) => {
    const typed = wished.trim();
    if (!yours || !typed || tooLong(typed) || busy) return;
    setHidden("");
    setProblem("");
    wanted.current = typed;
    const answer = await wire.send("suggest", { text: typed });
    if (!answer.ok) setProblem(reason(answer.refusal));
  };
  // The suggestions come with a later state than the acknowledgement.
  useLayoutEffect(() => {
    if (!busy && offered && offered.text === wanted.current) {
      wanted.current = null;
      const { form } = field.current ?? {};
      if (form?.contains(document.activeElement)) first.current?.focus();
    }
  }, [offered, busy]);

  const hide = () => {
    setHidden(offered?.text ?? "");
    field.current?.focus();
  };
  return (
    <div class={yours ? "composer yours" : "composer"}>
      <p class="turn" role="status">
        {t(yours ? "turn.yours" : "turn.wait.user")}
      </p>
      {offered && (
        <Suggestions
          first={first}
          candidates={offered.candidates}
          onPick={(candidate) => void pick(candidate)}
          onEdit={(candidate) => {
            change(candidate.text ?? "");
            field.current?.focus();
          }}
          onClose={hide}
          onFocus={setChoosing}
        />
      )}
      <Announce text={offered ? t("replies.count", { count: offered.candidates.length }) : ""} />
      <form onSubmit={handing(() => suggest())}>
        <label class="heard" for="say">
          {t("replies.label")}
        </label>
        <TextField
          id="say"
          field={field}
          rows={2}
          placeholder={t("replies.placeholder")}
          value={text}
          aria-describedby="replies-keys"
          onChange={change}
          onKeyDown={(event) => {
            if (event.key === "Escape" && offered) hide();
            if (event.key === "ArrowUp" && offered && !text.includes("\n")) first.current?.focus();
            if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            if (event.ctrlKey || event.metaKey) custom();
            else void suggest();
          }}
        />
        <div class="row buttons">
          <button type="submit" class="main" aria-disabled={!on || busy}>
            {t(busy ? "replies.busy" : "replies.find")}
          </button>
          <button type="button" aria-disabled={!on} onClick={custom}>
            {t("replies.custom")}
          </button>
        </div>
        <Length text={text} />
        <Problem text={returned ?? problem} />
        <p class="soft small" id="replies-keys">
          {t(offered && choosing ? "replies.keys.pick" : "replies.keys")}
        </p>
      </form>
      {stopped && (
        <OffFlow
          refusal={stopped.refusal}
          label={stopped.label}
          reasoned={stopped.refusal.reason_wanted ?? room.guard === "reason"}
          onSend={(reason) => {
            const { label, again } = stopped;
            setStopped(null);
            void put(label, () => again(reason));
          }}
          onClose={() => setStopped(null)}
        />
      )}
    </div>
  );
}
