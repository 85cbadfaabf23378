/** From a link to a place in the study. Nothing is joined before somebody asks for it. */

import { useEffect, useState } from "preact/hooks";
import { join, Refusal } from "./api";
import { fresh } from "./message";
import { Heading } from "./parts";
import { Session } from "./session";
import { maybe, t } from "./texts";

/** Names under which recruiters hand over the worker's id, in the address. */
const WORKER = ["PROLIFIC_PID", "workerId", "participantId", "participant", "worker", "id"];
const LONGEST = 128;
const MOST = 8;

function given(): { worker: string; source: Record<string, string> } {
  const query = [...new URLSearchParams(location.search)];
  const source = Object.fromEntries(
    query.slice(0, MOST).map(([name, value]) => [name.slice(0, LONGEST), value.slice(0, LONGEST)]),
  );
  const worker = WORKER.map((name) => source[name]).find(Boolean) ?? "";
  return { worker: worker.slice(0, 64), source };
}

const joined = (link: string): string => `dialoom:joined:${link}`;

/** The key of an earlier visit with this link; null for a first one. */
function before(link: string): string | null {
  try {
    return localStorage.getItem(joined(link));
  } catch {
    return null;
  }
}

/** The page's own key: a request that is sent twice joins once. */
function keyOf(link: string): string {
  const key = before(link) ?? fresh();
  try {
    localStorage.setItem(joined(link), key);
  } catch {
    // Without storage the page asks once more after a reload; the cookie still resumes.
  }
  return key;
}

export function Join({ link }: { link: string }) {
  const [entered, setEntered] = useState(0);
  const [busy, setBusy] = useState(before(link) !== null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const { worker, source } = given();
  const [name, setName] = useState(worker);

  const enter = async (again: boolean) => {
    setBusy(true);
    setRefusal(null);
    try {
      const named = name.trim() ? { worker: name.trim() } : {};
      await join(link, { ...named, source, again, key: keyOf(link) });
      setEntered((n) => n + 1);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      setRefusal(error);
    } finally {
      setBusy(false);
    }
  };

  useEffect(() => {
    if (before(link) !== null) void enter(false);
  }, []);

  if (entered > 0) {
    return (
      <Session
        key={entered}
        link={link}
        again={() => void enter(true)}
        rejoin={() => void enter(false)}
      />
    );
  }
  return (
    <main class="leaf">
      <Heading>{t("join.title")}</Heading>
      {refusal && (
        <div class="notice bad" role="alert">
          <p>{maybe(`join.${refusal.code}`, refusal.message || t("join.unreachable"))}</p>
        </div>
      )}
      <form
        class="card"
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) void enter(false);
        }}
      >
        <p>{t("join.text")}</p>
        <div class="field">
          <label for="worker">{t("join.worker")}</label>
          <input
            id="worker"
            value={name}
            maxLength={64}
            autocomplete="off"
            aria-describedby="worker-note"
            onInput={(event) => setName(event.currentTarget.value)}
          />
          <p class="soft small" id="worker-note">
            {t("join.worker.note")}
          </p>
        </div>
        <button type="submit" class="main" aria-disabled={busy}>
          {busy ? t("join.busy") : t("join.go")}
        </button>
      </form>
    </main>
  );
}
