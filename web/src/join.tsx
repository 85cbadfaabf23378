/** From a link to a place in the study. Nothing is joined before somebody asks for it. */

import { useEffect, useState } from "preact/hooks";
import { join, Refusal } from "./api";
import { handing, Length, tooLong } from "./fields";
import { fresh } from "./message";
import { Heading, lazy, useTick } from "./parts";
import { Session } from "./session";
import { keep, kept } from "./storage";
import { type Key, languageName, span, t } from "./texts";

/** Names under which recruiters hand over the worker's id, in the address. */
const WORKER = ["PROLIFIC_PID", "workerId", "participantId", "participant", "worker", "id"];
const LONGEST = 128;
/** Characters of a worker's id at most. */
const LONGEST_ID = 64;
const MOST = 8;

/** Refusals that end the way in; with all others the form stays. */
const FINAL = [
  "forged",
  "used",
  "full",
  "paused",
  "preview",
  "screened_out",
  "rejected",
  "not_a_wizard",
] as const;
/** Refusals that pass by themselves, and the seconds until the next try. */
const PASSING = ["unreachable", "unavailable", "slow_down"];
const PAUSE = 5;
const LazyFront = lazy(
  () => import("./document/document"),
  (module) => module.Front,
);

const KNOWN = [...FINAL, ...PASSING, "already_in", "crowded", "id_wanted", "proof_wanted"];

/** Mechanical Turk's name for the assignment of a person who has not accepted the work. */
const PREVIEW = "ASSIGNMENT_ID_NOT_AVAILABLE";

/** The worker's id, their language, and all else that the address brings. */
function given(): { worker: string; language: string; source: Record<string, string> } {
  const query = [...new URLSearchParams(location.search)];
  const { language = "", ...source } = Object.fromEntries(
    query.slice(0, MOST).map(([name, value]) => [name.slice(0, LONGEST), value.slice(0, LONGEST)]),
  );
  const worker = WORKER.map((name) => source[name]).find(Boolean) ?? "";
  return { worker, language, source };
}

/** The key of an earlier visit with this link; null for a first one. */
const before = (link: string): string | null => kept("browser", `joined:${link}`);

/** The page's own key: a request that is sent twice joins once. */
function keyOf(link: string): string {
  const key = before(link) ?? fresh();
  // Without storage the page asks once more after a reload; the cookie still resumes.
  keep("browser", `joined:${link}`, key);
  return key;
}

export function Join({ link }: { link: string }) {
  const [entered, setEntered] = useState(0);
  const [again, setAgain] = useState(false);
  const [busy, setBusy] = useState(before(link) !== null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const { worker, language: brought, source } = given();
  const [name, setName] = useState(worker);
  const [chosen, setChosen] = useState(brought);
  const open = "tasks" in document.documentElement.dataset;
  const [task, setTask] = useState("");
  const long = tooLong(name, LONGEST_ID);

  const enter = async (another: boolean, language = chosen) => {
    setChosen(language);
    setBusy(true);
    setRefusal(null);
    setAgain(another);
    try {
      const named = name.trim() ? { worker: name.trim() } : {};
      const asked = task ? { ...source, task } : source;
      await join(link, { ...named, language, source: asked, again: another, key: keyOf(link) });
      setEntered((n) => n + 1);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      setRefusal(error);
    } finally {
      setBusy(false);
    }
  };

  /** Shows the front page again, for another conversation. */
  const choose = () => {
    setAgain(true);
    setEntered(0);
  };

  useEffect(() => {
    if (before(link) !== null && source.assignmentId !== PREVIEW) void enter(false);
  }, []);

  if (source.assignmentId === PREVIEW) return <Refused code="preview" />;
  const final = FINAL.find((code) => code === refusal?.code);
  if (final) return <Refused code={final} onBack={() => void enter(false)} />;
  if (entered > 0 && !refusal) {
    return (
      <Session
        key={entered}
        link={link}
        again={() => (open ? choose() : void enter(true))}
        rejoin={() => void enter(false)}
      />
    );
  }
  if (refusal?.code === "language_wanted") {
    return (
      <LanguageChoice
        languages={refusal.languages}
        onChoose={(language) => void enter(again, language)}
      />
    );
  }
  if (open) {
    return (
      <LazyFront busy={busy} onChoose={setTask} onStart={() => void enter(again)}>
        {refusal && <Problem refusal={refusal} onRetry={() => void enter(again)} />}
      </LazyFront>
    );
  }
  return (
    <main class="leaf">
      <Heading>{t("join.title")}</Heading>
      {refusal && <Problem refusal={refusal} onRetry={() => void enter(again)} />}
      <form class="card" onSubmit={handing(() => busy || long || enter(again))}>
        <p>{t("join.text")}</p>
        <div class="field">
          <label for="worker">{t("join.worker")}</label>
          <input
            id="worker"
            value={name}
            autocomplete="off"
            spellcheck={false}
            aria-describedby="worker-note"
            aria-invalid={long}
            readOnly={worker !== ""}
            onInput={(event) => setName(event.currentTarget.value)}
          />
          <p class="soft small" id="worker-note">
            {t(worker ? "join.worker.brought" : "join.worker.note")}
          </p>
          <Length text={name} most={LONGEST_ID} />
        </div>
        <button type="submit" class="main" aria-disabled={busy || long}>
          {busy ? t("join.busy") : t("join.go")}
        </button>
      </form>
    </main>
  );
}

interface ChoiceProps {
  languages: string[];
  onChoose: (language: string) => void;
}

/** Asks for the language of the tasks and pages. */
function LanguageChoice({ languages, onChoose }: ChoiceProps) {
  return (
    <main class="leaf">
      <Heading>{t("join.language_wanted")}</Heading>
      <section class="card">
        <div class="row">
          {languages.map((code) => (
            <button type="button" key={code} lang={code} onClick={() => onChoose(code)}>
              {languageName(code)}
            </button>
          ))}
        </div>
      </section>
    </main>
  );
}

/** The way in is closed: why, and what to do now. */
function Refused({ code, onBack }: { code: (typeof FINAL)[number]; onBack?: () => void }) {
  return (
    <main class="leaf">
      <Heading>{t(`join.${code}.title`)}</Heading>
      <section class="card">
        <p role="alert">{t(`join.${code}`)}</p>
        <p>{t(`join.${code}.next`)}</p>
        {onBack && (
          <button type="button" onClick={onBack}>
            {t("join.again")}
          </button>
        )}
      </section>
    </main>
  );
}

/** Obstacles for now; those that may pass are tried again after a while. */
function Problem({ refusal, onRetry }: { refusal: Refusal; onRetry: () => void }) {
  const passing = PASSING.includes(refusal.code);
  const [until] = useState(Date.now() + 1000 * (refusal.after ?? PAUSE));
  useTick(passing);
  const left = until - Date.now();
  const over = passing && left <= 0;
  useEffect(() => {
    if (over) onRetry();
  }, [over]);
  const key = KNOWN.includes(refusal.code) ? refusal.code : "else";
  return (
    <div class="notice bad">
      <p role="alert">{t(`join.${key}` as Key)}</p>
      {passing && <p class="small">{t("join.retry", { time: span(left) })}</p>}
    </div>
  );
}
