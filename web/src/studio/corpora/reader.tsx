/** One dialogue, or two side by side. */

import { useEffect, useState } from "preact/hooks";
import { get, post, Refusal } from "../../api";
import { useKeys } from "../../keys";
import { t } from "../../texts";
import { asked, go, href } from "../address";
import { type Asked, useAsked } from "../asked";
import { Problem } from "../entries";
import { Lines, Remarks } from "./lines";
import type { Wanted } from "./list";
import { Mend, type Mending, type Send } from "./mend";
import type { Dialogue, IndexState, Opened, Patch } from "./types";

interface Props {
  path: string;
  wanted: Wanted;
  query: URLSearchParams;
  index: IndexState | null;
  onNumber: (number: number) => void;
}

export function Reader({ path, wanted, query, index, onNumber }: Props) {
  const event = query.get("event");
  const at = event === null ? null : Number(event);
  const other = query.get("with");
  const which = { id: query.get("id"), number: query.get("number") };
  const line = useOpened(path, which, index);
  const { found } = line;
  useEffect(() => {
    if (found) onNumber(found.number);
  }, [found, onNumber]);
  useEffect(() => {
    if (found && at !== null)
      document.getElementById(`line-${at}`)?.scrollIntoView({ block: "center" });
  }, [found, at]);
  const open = (number: number | null) =>
    number !== null && go("corpora", path, { ...wanted, number });
  useKeys({ n: () => open(found?.after ?? null), p: () => open(found?.before ?? null) });
  if (!found) return <Missing answer={line} index={index} />;
  const keep = { ...wanted, number: found.number };
  return (
    <>
      <nav class="row steps" aria-label={t("studio.dialogues")}>
        <a class="back button small" href={href("corpora", path, wanted)}>
          {t("studio.reader.list")}
        </a>
        <Step
          title={t("studio.page.before")}
          keys="p"
          number={found.before}
          path={path}
          wanted={wanted}
        />
        <Step
          title={t("studio.page.after")}
          keys="n"
          number={found.after}
          path={path}
          wanted={wanted}
        />
        <Compare path={path} keep={keep} found={found} other={other} />
      </nav>
      <div class={other ? "sides" : ""}>
        <Side key={found.number} path={path} opened={found} at={at} set={line.set} />
        {other && <Other path={path} id={other} index={index} />}
      </div>
    </>
  );
}

function useOpened(
  path: string,
  which: { id?: string | null; number?: string | null },
  index: IndexState | null,
) {
  const id = which.number ? "" : (which.id ?? "");
  // asked again once the dialogue may be in the index, and once it is checked
  return useAsked<Opened>(
    `/api/corpora/dialogue?${asked({ path, id, number: which.number ?? null })}`,
    index?.phase === "reading" ? index.dialogues : index?.phase,
  );
}

function Missing({ answer, index }: { answer: Asked<Opened>; index: IndexState | null }) {
  const reads = index?.phase === "opening" || index?.phase === "reading";
  const what = answer.problem || (reads ? "" : t("studio.reader.none"));
  if (!answer.problem && !answer.done) return null;
  return (
    <p class="notice" role="alert">
      {what || t("studio.reader.later")}
    </p>
  );
}

interface StepProps {
  title: string;
  keys: string;
  number: number | null;
  path: string;
  wanted: Wanted;
}

function Step({ title, keys, number, path, wanted }: StepProps) {
  if (number === null) return null;
  return (
    <a
      class="button small"
      href={href("corpora", path, { ...wanted, number })}
      aria-keyshortcuts={keys}
    >
      {title} <kbd>{keys}</kbd>
    </a>
  );
}

interface CompareProps {
  path: string;
  keep: Record<string, string | number>;
  found: Opened;
  other: string | null;
}

/** Opens another dialogue next to this one. */
function Compare({ path, keep, found, other }: CompareProps) {
  const [typed, setTyped] = useState("");
  if (other)
    return (
      <a class="button small" href={href("corpora", path, keep)}>
        {t("studio.reader.close")}
      </a>
    );
  const twin = found.same.find((number) => number !== found.number);
  return (
    <form
      class="row compare"
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.trim()) go("corpora", path, { ...keep, with: typed.trim() });
      }}
    >
      <input
        aria-label={t("studio.reader.with")}
        placeholder={t("studio.reader.compare")}
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      {twin !== undefined && (
        <a class="small" href={href("corpora", path, { ...keep, with: `#${twin}` })}>
          {t("studio.reader.twin")}
        </a>
      )}
    </form>
  );
}

function Other({ path, id, index }: { path: string; id: string; index: IndexState | null }) {
  const which = id.startsWith("#") ? { number: id.slice(1) } : { id };
  const answer = useOpened(path, which, index);
  if (!answer.found) return <Missing answer={answer} index={index} />;
  const { found, set } = answer;
  return <Side key={found.number} path={path} opened={found} at={null} set={set} />;
}

interface SideProps {
  path: string;
  opened: Opened;
  at: number | null;
  set: (opened: Opened) => void;
}

function Side({ path, opened, at, set }: SideProps) {
  const [mending, setMending] = useState<Mending | null>(null);
  const [problem, setProblem] = useState("");
  const { dialogue, overlay, number } = opened;
  const mends = Boolean(overlay) && !dialogue.stale;
  const send: Send = async (change) => {
    const { version } = dialogue;
    setProblem("");
    try {
      set(await post<Opened>("/api/corpora/mend", { path, number, version, ...change }));
    } catch (error) {
      if (!(error instanceof Refusal && error.code === "changed")) throw error;
      set(await get<Opened>(`/api/corpora/dialogue?${asked({ path, number })}`));
      setProblem(error.message);
    }
    setMending(null);
  };
  return (
    <article class="side" aria-label={t("studio.reader.dialogue", { id: dialogue.id })}>
      <h2>
        {dialogue.id} <span class="soft small">{opened.file}</span>
      </h2>
      <Facts dialogue={dialogue} />
      {dialogue.stale && (
        <p class="notice bad" role="alert">
          {dialogue.stale}
        </p>
      )}
      <Problem what={problem} />
      <Remarks remarks={dialogue.findings} />
      <Lines
        lines={dialogue.lines}
        at={at}
        onMend={mends ? (note) => setMending({ note }) : undefined}
        onAdd={mends ? (line) => setMending({ line }) : undefined}
      />
      {dialogue.answers.length > 0 && (
        <details>
          <summary>{t("studio.reader.answers")}</summary>
          <Pairs pairs={dialogue.answers} />
        </details>
      )}
      <Patches opened={opened} send={send} />
      {mending && (
        <Mend opened={opened} mending={mending} send={send} onClose={() => setMending(null)} />
      )}
    </article>
  );
}

function Facts({ dialogue }: { dialogue: Dialogue }) {
  if (!dialogue.facts.length) return null;
  return (
    <details class="about">
      <summary>
        {t("studio.reader.about")}
        {!dialogue.checked && <span class="soft small"> · {t("studio.reader.unchecked")}</span>}
      </summary>
      <Pairs pairs={dialogue.facts} />
    </details>
  );
}

export function Pairs({ pairs }: { pairs: [string, string][] }) {
  return (
    <dl class="facts small">
      {pairs.map(([what, value], place) => (
        <div key={place}>
          <dt>{what}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Patches({ opened, send }: { opened: Opened; send: Send }) {
  const { patches } = opened.dialogue;
  const [problem, setProblem] = useState("");
  if (!patches.length) return null;
  const undo = () => {
    const who = patches.at(-1)?.who;
    setProblem("");
    send({ who, undo: true }).catch((error: Error) => setProblem(error.message));
  };
  return (
    <section class="patches">
      <h3>{t("studio.reader.changes")}</h3>
      <ol class="small">
        {patches.map((patch, place) => (
          <li key={place}>
            {patch.who}, {new Date(patch.when).toLocaleString()}: <code>{patch.pointer}</code>{" "}
            {changed(patch)} {patch.note && <q>{patch.note}</q>}
          </li>
        ))}
      </ol>
      <p class="row small">
        <button type="button" class="small" onClick={undo}>
          {t("studio.reader.undo")}
        </button>
        <span class="soft">{opened.overlay}</span>
      </p>
      <Problem what={problem} />
    </section>
  );
}

function changed({ before, after }: Patch): string {
  if (before === undefined) return t("studio.patch.added");
  return after === undefined ? t("studio.patch.removed") : t("studio.patch.changed");
}
