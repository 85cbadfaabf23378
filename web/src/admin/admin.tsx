/** The admin's page: logs in, keeps the dashboard fresh, and shows its parts. */

import { useCallback, useEffect, useState } from "preact/hooks";
import { get, post, Refusal } from "../api";
import { handing, Problem } from "../fields";
import { Heading, lazy } from "../parts";
import { payIn, t, teach } from "../texts";
import { Changes } from "./changes";
import { Find, found, WorkerView } from "./find";
import { Items } from "./items";
import { Ledger } from "./ledger";
import { Links } from "./links";
import { Live } from "./live";
import { Alarms, Overview } from "./overview";
import { Reading } from "./reading";
import { Review } from "./review";
import { said } from "./said";
import { type Dashboard, judges } from "./types";
import { Workers } from "./workers";
import "../style/admin.css";

const texts = import.meta.glob<{ default: Record<string, string> }>("./admin.??.json");

/** Done when the page's texts are there. */
export const ready = import("./admin.en.json").then((english) =>
  teach(english.default, (language) => texts[`./admin.${language}.json`]),
);

const PAUSE = 3000;

/** The token after the # of the address; it is taken out of sight and history at once. */
function tokenGiven(): string {
  const given = decodeURIComponent(location.hash.slice(1));
  const token = PAGES.some((each) => each === given) ? "" : given;
  if (token) history.replaceState(null, "", location.pathname);
  return token;
}

export function Admin() {
  const [given] = useState(tokenGiven);
  const [shown, setShown] = useState<Dashboard | null>(null);
  const [inside, setInside] = useState<boolean | null>(given ? false : null);
  /** The result of the last action; it stays until the next one. */
  const [problem, setProblem] = useState("");
  /** Why the dashboard is not fresh. */
  const [stale, setStale] = useState("");

  const read = useCallback(async () => {
    try {
      setShown(await get<Dashboard>("/api/admin/dashboard"));
      setInside(true);
      setStale("");
    } catch (error) {
      if (error instanceof Refusal && error.status === 401) setInside(false);
      else setStale(said(error));
    }
  }, []);
  const enter = useCallback(
    async (token: string) => {
      setProblem("");
      try {
        await post("/api/admin/login", { token });
        await read();
      } catch (error) {
        setProblem(said(error));
      }
    },
    [read],
  );
  const act = useCallback(
    async (path: string, body: unknown) => {
      setProblem("");
      try {
        await post(`/api/admin/${path}`, body);
        return true;
      } catch (error) {
        setProblem(said(error));
        return false;
      } finally {
        await read();
      }
    },
    [read],
  );

  useEffect(() => {
    document.title = t("admin.title");
    void (given ? enter(given) : read());
  }, [given, enter, read]);
  useEffect(() => {
    if (!inside) return;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") void read();
    }, PAUSE);
    return () => clearInterval(timer);
  }, [inside, read]);

  if (inside === null && !stale) return null;
  if (!inside || !shown)
    return <Login problem={problem || stale} onToken={(token) => void enter(token)} />;
  payIn(shown.currency);
  return <Board shown={shown} problems={[stale, problem]} act={act} />;
}

function Login({ problem, onToken }: { problem: string; onToken: (token: string) => void }) {
  const [token, setToken] = useState("");
  return (
    <main class="leaf">
      <Heading>{t("admin.login")}</Heading>
      <form class="card" onSubmit={handing(() => token.trim() && onToken(token.trim()))}>
        <p>{t("admin.login.text")}</p>
        <div class="field">
          <label for="token">{t("admin.token")}</label>
          <input
            id="token"
            type="password"
            autocomplete="current-password"
            value={token}
            onInput={(event) => setToken(event.currentTarget.value)}
          />
        </div>
        <Problem text={problem} />
        <button type="submit" class="main">
          {t("admin.enter")}
        </button>
      </form>
    </main>
  );
}

const PAGES = [
  "live",
  "review",
  "figures",
  "workers",
  "items",
  "pay",
  "links",
  "settings",
] as const;
const OWNERS: string[] = ["items", "links", "settings"];
type PageName = (typeof PAGES)[number];

/** The page that the address names. */
const pageNow = (): PageName => PAGES.find((each) => each === location.hash.slice(1)) ?? "live";

function usePage(): PageName {
  const [page, setPage] = useState(pageNow);
  useEffect(() => {
    const turn = () => setPage(pageNow());
    addEventListener("hashchange", turn);
    return () => removeEventListener("hashchange", turn);
  }, []);
  return page;
}

/** Figures and their plots, which no other page draws. */
const LazyFigures = lazy(
  () => import("./figures"),
  (module) => module.Figures,
);

interface BoardProps {
  shown: Dashboard;
  problems: string[];
  act: (path: string, body: unknown) => Promise<boolean>;
}

function Board({ shown, problems, act }: BoardProps) {
  const [unit, setUnit] = useState<number | null>(null);
  const [sought, setSought] = useState("");
  const page = usePage();
  const owner = shown.role === "owner";
  const seen = found(shown, sought);
  const counts: Partial<Record<PageName, number>> = {
    live: shown.rooms.length,
    review: shown.queue.length,
  };
  const name = t(`admin.part.${page}`);
  useEffect(() => {
    document.title = `${name} · ${shown.study}`;
  }, [name, shown.study]);
  return (
    <>
      <header class="bar">
        <span class="study">{shown.study}</span>
        <span class="soft small">
          {t("admin.batch", { batch: shown.batch })}
          {shown.pilot && ` · ${t("pilot")}`}
        </span>
        <nav class="end" aria-label={t("admin.parts")}>
          {PAGES.filter((each) => owner || !OWNERS.includes(each)).map((each) => (
            <a key={each} href={`#${each}`} aria-current={each === page ? "page" : undefined}>
              {t(`admin.part.${each}`)}
              {counts[each] ? ` (${counts[each]})` : ""}
            </a>
          ))}
          <button
            type="button"
            class="small"
            onClick={() => void act("logout", {}).then(() => location.reload())}
          >
            {t("admin.leave")}
          </button>
        </nav>
      </header>
      <div class="alerts" role="alert">
        {problems.filter(Boolean).map((problem) => (
          <div class="notice bad" key={problem}>
            <p>{problem}</p>
          </div>
        ))}
        {shown.failure && (
          <div class="notice bad">
            <p>{t("admin.failed", { what: shown.failure })}</p>
          </div>
        )}
      </div>
      <main class="admin">
        <h1 class="heard">{t("admin.title")}</h1>
        <Alarms shown={shown} />
        <Find
          sought={sought}
          workers={shown.workers.map(({ worker }) => worker)}
          onSeek={setSought}
        />
        <WorkerView shown={shown} worker={sought.trim()} act={act} onRead={setUnit} />
        {page === "live" && <Overview shown={shown} />}
        {page === "live" && <Live shown={seen} act={act} onRead={setUnit} />}
        {page === "review" && <Review shown={seen} act={act} />}
        {page === "figures" && <LazyFigures shown={seen} onRead={setUnit} />}
        {page === "workers" && <Workers shown={seen} act={act} onSeek={setSought} />}
        {page === "items" && owner && <Items shown={shown} act={act} />}
        {page === "pay" && <Ledger shown={seen} act={act} />}
        {page === "links" && owner && <Links shown={shown} />}
        {page === "settings" && owner && <Changes shown={shown} act={act} />}
      </main>
      {unit !== null && (
        <Reading number={unit} writes={judges(shown)} onClose={() => setUnit(null)} />
      )}
    </>
  );
}
