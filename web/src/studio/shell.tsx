/** The frame of all views: navigation, the first page, and the view of the address. */

import type { ComponentType } from "preact";
import { useCallback, useEffect, useState } from "preact/hooks";
import { Guarded } from "../guarded";
import { t } from "../texts";
import { type Address, href, read } from "./address";
import { described, Entries, Title } from "./entries";
import { Finder } from "./finder";
import { Folder, type Listing, load } from "./folder";
import { reason } from "./reason";
import { VIEWS, type ViewProps, type ViewSettings } from "./views";

export function Shell() {
  const [at, setAt] = useState<Address>(() => read(location.hash));
  const [listing, setListing] = useState<Listing | null>(null);
  const [failure, setFailure] = useState("");
  const refresh = useCallback(async () => {
    try {
      for (let search = 0, walking = true; walking; ) {
        const found = await load(search);
        setListing(found);
        setFailure("");
        ({ search, walking } = found);
      }
    } catch (error) {
      setFailure(reason(error));
    }
  }, []);
  useEffect(() => {
    const moved = () => {
      const next = read(location.hash);
      setAt(next);
      if (!next.path) void refresh(); // a list: other programs write files too
    };
    addEventListener("hashchange", moved);
    void refresh();
    return () => removeEventListener("hashchange", moved);
  }, [refresh]);
  const folder = listing && new Folder(listing, refresh);
  return (
    <>
      <button type="button" class="skip" onClick={skip}>
        {t("studio.skip")}
      </button>
      <header class="bar">
        <a class="home" href={href()}>
          dialoom
        </a>
        <nav aria-label={t("studio.views")}>
          {VIEWS.map(({ name }) => (
            <a key={name} href={href(name)} aria-current={name === at.view ? "page" : undefined}>
              {t(`studio.view.${name}`)}
            </a>
          ))}
        </nav>
        <Finder entries={listing?.entries ?? []} onOpen={refresh} />
      </header>
      {failure && (
        <p class="notice bad" role="alert">
          {t("studio.server")} {failure}{" "}
          <button type="button" class="small" onClick={() => void refresh()}>
            {t("studio.again")}
          </button>
        </p>
      )}
      {listing?.walking && (
        <p class="notice small" role="status">
          {t("studio.walking", { count: listing.entries.length })}
        </p>
      )}
      {folder && <Place key={at.view} at={at} folder={folder} />}
    </>
  );
}

/** A button: a link within the page would change the address, which names the view. */
function skip(): void {
  const main = document.getElementById("main");
  main?.setAttribute("tabindex", "-1");
  main?.focus();
}

function Place({ at, folder }: { at: Address; folder: Folder }) {
  const view = VIEWS.find(({ name }) => name === at.view);
  if (!view) return <Start folder={folder} />;
  if (!at.path && !view.list) return <List view={view} folder={folder} />;
  return (
    <Guarded key={at.path} instead={broken}>
      <Loaded view={view} at={at} folder={folder} />
    </Guarded>
  );
}

function Loaded({ view, at, folder }: { view: ViewSettings; at: Address; folder: Folder }) {
  const [Piece, setPiece] = useState<ComponentType<ViewProps> | null>(null);
  useEffect(() => {
    void view.load().then(({ View }) => setPiece(() => View));
  }, [view]);
  return Piece && <Piece path={at.path} query={at.query} folder={folder} />;
}

function List({ view, folder }: { view: ViewSettings; folder: Folder }) {
  return (
    <main class="page" id="main">
      <Title>{t(`studio.view.${view.name}`)}</Title>
      {folder.of(view.name).length ? (
        <Entries entries={folder.of(view.name)} />
      ) : (
        <First view={view.name} />
      )}
    </main>
  );
}

/** How to get the first file of a view. */
function First({ view }: { view: ViewSettings["name"] }) {
  if (view === "corpora")
    return (
      <p class="soft">
        {t("studio.first.corpora")} <code>dialoom simulate --out corpus</code>
      </p>
    );
  return (
    <p>
      <a href={href(view)}>{t(`studio.first.${view}`)}</a>
    </p>
  );
}

function Start({ folder }: { folder: Folder }) {
  const { name, path, entries, cut } = folder.listing;
  const others = entries.filter(({ view }) => !view);
  return (
    <main class="page" id="main">
      <Title>{name}</Title>
      <p class="soft small">{path}</p>
      {VIEWS.map(({ name: view }) => (
        <section key={view} class="card">
          <h2>
            <a href={href(view)}>{t(`studio.view.${view}`)}</a>
          </h2>
          <p class="soft">{t(`studio.view.${view}.what`)}</p>
          {folder.of(view).length ? <Entries entries={folder.of(view)} /> : <First view={view} />}
        </section>
      ))}
      {others.length > 0 && (
        <details>
          <summary>{t("studio.unopened", { count: others.length })}</summary>
          <ul class="plain small">
            {others.map((entry) => (
              <li key={entry.path}>
                {entry.path} <span class="soft">{described(entry)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {cut && <p class="notice">{t("studio.cut")}</p>}
    </main>
  );
}

/** Takes the place of a view that cannot be drawn. */
const broken = (what: string) => (
  <main class="page" id="main">
    <Title>{t("studio.failed")}</Title>
    <p role="alert">
      {t("studio.failed.text")} <code>{what}</code>
    </p>
    <button type="button" class="main" onClick={() => location.reload()}>
      {t("studio.reload")}
    </button>
  </main>
);
