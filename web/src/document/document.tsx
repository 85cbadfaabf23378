/** The page of somebody who works on a document, by its kind; loaded when it is wanted. */

import { Fragment } from "preact";
import { useEffect } from "preact/hooks";
import { lazy, useWire } from "../parts";
import { t, teach } from "../texts";

export { End, Front } from "./front";

import { RatePage } from "./rate";
import { RewordPage } from "./reword";
import type { DocumentRoom } from "./state";
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
  const { room, warned } = useWire().state ?? {};
  useEffect(begin, [room?.number]);
  if (!room || room.role === "user" || room.role === "wizard") return null;
  return (
    <Fragment key={room.number}>
      {warned && (
        <p class="notice" role="alert">
          {t("document.warned")}
        </p>
      )}
      {pageOf(room)}
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

function pageOf(room: DocumentRoom) {
  if (room.role === "writer") return <WritePage room={room} />;
  if (room.role === "paraphraser") return <RewordPage room={room} />;
  if (room.role === "rater") return <RatePage room={room} />;
  if (room.role === "tester") return <TalkPage room={room} />;
  if (room.role === "transcriber") return <TypePage room={room} />;
  return <LazyAnnotate room={room} />;
}

/** Marking is the largest page, and only annotators and adjudicators need it. */
const LazyAnnotate = lazy(
  () => import("./annotate"),
  (module) => module.AnnotatePage,
);
