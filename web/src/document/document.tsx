/** The page of somebody who works on a document, by its kind; loaded when it is wanted. */

import { Fragment } from "preact";
import { useEffect } from "preact/hooks";
import { lazy, useWire } from "../parts";
import { t, teach } from "../texts";

export { End, Front } from "./front";

import { RatePage } from "./rate";
import { RewordPage } from "./reword";
import type { DocumentUnit } from "./state";
import { TalkPage } from "./talk";
import { TypePage } from "./type";
import { WritePage } from "./write";
import "../style/document.css";

const texts = import.meta.glob<{ default: Record<string, string> }>("./document.??.json");

/** Done when the page's texts are there. */
export const ready = import("./document.en.json").then((english) =>
  teach(english.default, (language) => texts[`./document.${language}.json`]),
);

export function DocumentPage() {
  const { room: unit, warned } = useWire().state ?? {};
  useEffect(begin, [unit?.number]);
  if (!unit || unit.role === "user" || unit.role === "wizard") return null;
  return (
    <Fragment key={unit.number}>
      {warned && (
        <p class="notice" role="alert">
          {t("document.warned")}
        </p>
      )}
      {pageOf(unit)}
    </Fragment>
  );
}

/** Begins an item at the top of its page, also for the keyboard. */
function begin(): void {
  scrollTo(0, 0);
  const title = document.querySelector<HTMLElement>("main h1");
  if (!title || document.activeElement !== document.body) return;
  title.tabIndex = -1;
  title.focus();
}

function pageOf(unit: DocumentUnit) {
  if (unit.role === "writer") return <WritePage unit={unit} />;
  if (unit.role === "paraphraser") return <RewordPage unit={unit} />;
  if (unit.role === "rater") return <RatePage unit={unit} />;
  if (unit.role === "tester") return <TalkPage unit={unit} />;
  if (unit.role === "transcriber") return <TypePage unit={unit} />;
  return <LazyAnnotate unit={unit} />;
}

/** Marking is the largest page, and only annotators and adjudicators need it. */
const LazyAnnotate = lazy(
  () => import("./annotate"),
  (module) => module.AnnotatePage,
);
