/** The user's page: what to do on the left, the dialogue on the right. */

import { useEffect, useRef, useState } from "preact/hooks";
import { Lines, underWay, useReturned } from "./chat";
import { handing, Length, Problem, SayField, tooLong, useDraft } from "./fields";
import { Confirm, lazy, TaskText, useFolded, useTurn, useWire } from "./parts";
import type { UserRoom } from "./state";
import { type Key, t } from "./texts";

export function UserPage({ room }: { room: UserRoom }) {
  return (
    <main class="unit user">
      <aside class="side" aria-label={t("task.title")}>
        <TaskCard room={room} />
        <Accomplished room={room} />
      </aside>
      <Conversation room={room} />
    </main>
  );
}

/** The task; in a small window it folds away with the first message. */
function TaskCard({ room }: { room: UserRoom }) {
  const [open, setOpen] = useFolded("(max-width: 46rem), (max-height: 36rem)");
  return (
    <details class="card task" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h1 class="task-title">{t("task.title")}</h1>
      </summary>
      <TaskText text={room.text} />
      {room.present_as && <p class="soft small">{t(`present.${room.present_as}`)}</p>}
    </details>
  );
}

function Accomplished({ room }: { room: UserRoom }) {
  const wire = useWire();
  const [asked, setAsked] = useState(false);
  const on = room.can_accomplish && !underWay(wire.outbox);
  const why = on ? "ready" : (room.accomplish_lacks ?? "turn");
  return (
    <section class="card finish">
      <button
        type="button"
        class={on ? "main" : ""}
        aria-disabled={!on}
        aria-describedby="finish-why"
        onClick={() => on && setAsked(true)}
      >
        {t("finish")}
      </button>
      <p class="soft small" id="finish-why">
        {t(`finish.${why}`)}
      </p>
      {asked && (
        <Confirm
          title={t("finish.title")}
          text={t("finish.text")}
          yes={t("finish.yes")}
          onYes={() => {
            setAsked(false);
            void wire.send("accomplish");
          }}
          onClose={() => setAsked(false)}
        />
      )}
    </section>
  );
}

function Conversation({ room }: { room: UserRoom }) {
  const wire = useWire();
  const [again, setAgain] = useState<Again | null>(null);
  if (room.speech) return <LazySpeech room={room} />;
  return (
    <section class="card chat" aria-label={t("chat.title")}>
      <Lines role="user" onRetry={(text) => setAgain({ text })} />
      <Saying
        number={room.number}
        yours={room.turn === "user" && !underWay(wire.outbox)}
        wait="turn.wait.wizard"
        again={again}
      />
    </section>
  );
}

/** A dialogue in which the user speaks; nobody else needs what records. */
const LazySpeech = lazy(
  () => import("./spoken/spoken"),
  (module) => module.Speech,
);

/** A text that could not be sent, to be changed; another object each time. */
export interface Again {
  text: string;
}

interface SayingProps {
  /** The room's number, for what is typed and not sent. */
  number: number;
  yours: boolean;
  /** Said while the other side has the turn. */
  wait: Key;
  again: Again | null;
}

/** The field of the user's next line. */
export function Saying({ number, yours, wait, again }: SayingProps) {
  const wire = useWire();
  const [text, change] = useDraft(`room-${number}`);
  const field = useRef<HTMLTextAreaElement>(null);
  const problem = useReturned(text, change);
  const on = yours && text.trim() !== "" && !tooLong(text);
  const say = () => {
    const said = text.trim();
    if (!on) return;
    void wire.send("say", { text: said }, said);
    change("");
  };
  useTurn(yours, field);
  useEffect(() => {
    if (!again) return;
    change([again.text, text].filter(Boolean).join("\n"));
    field.current?.focus();
  }, [again]);
  return (
    <form class={yours ? "composer yours" : "composer"} onSubmit={handing(say)}>
      <p class="turn" role="status">
        {t(yours ? "turn.yours" : wait)}
      </p>
      <div class="entry">
        <label class="heard" for="say">
          {t("say.label")}
        </label>
        <SayField
          field={field}
          rows={1}
          placeholder={t("say.placeholder")}
          value={text}
          onChange={change}
          onEnter={say}
        />
        <button type="submit" class="main" aria-disabled={!on}>
          {t("send")}
        </button>
      </div>
      <Length text={text} />
      <Problem text={problem} />
    </form>
  );
}
