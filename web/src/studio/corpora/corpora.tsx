/** A corpus: the list of its dialogues, and the one that is open. */

import { useState } from "preact/hooks";
import { t } from "../../texts";
import { href } from "../address";
import { described, Title } from "../entries";
import type { ViewProps } from "../views";
import { List, WANTED, type Wanted } from "./list";
import { Progress, useIndex } from "./progress";
import { Reader } from "./reader";
import "./corpora.css";

export function View({ path, query, folder }: ViewProps) {
  const index = useIndex(path);
  const [open, setOpen] = useState<number | null>(null);
  const wanted: Wanted = Object.fromEntries(
    WANTED.map((name) => [name, query.get(name) ?? ""]).filter(([, value]) => value),
  );
  const reads = query.has("id") || query.has("number");
  const entry = folder.of("corpora").find((each) => each.path === path);
  const show = (values: Wanted) => {
    const kept = { id: query.get("id"), number: query.get("number") };
    location.replace(href("corpora", path, { ...values, ...kept }));
  };
  return (
    <main class={`corpus ${reads ? "reads" : ""}`} id="main">
      <header class="row apart">
        <Title>{path}</Title>
        <span class="soft small">{entry && described(entry)}</span>
      </header>
      <Progress state={index} />
      <div class="panes">
        <List path={path} wanted={wanted} open={reads ? open : null} index={index} onWant={show} />
        <section class="reader" aria-label={t("studio.reader")}>
          {reads ? (
            <Reader path={path} wanted={wanted} query={query} index={index} onNumber={setOpen} />
          ) : (
            <p class="soft hint">
              {t("studio.keys")} <kbd>/</kbd> {t("studio.keys.search")} · <kbd>j</kbd> <kbd>k</kbd>{" "}
              {t("studio.keys.move")} · <kbd>Enter</kbd> {t("studio.keys.open")} · <kbd>n</kbd>{" "}
              <kbd>p</kbd> {t("studio.keys.step")}
            </p>
          )}
        </section>
      </div>
    </main>
  );
}
