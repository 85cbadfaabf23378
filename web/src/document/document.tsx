/** The page of somebody who works on a document, by its kind; loaded when it is wanted. */

import { useWire } from "../parts";
import { teach } from "../texts";
import { AnnotatePage } from "./annotate";

export { End, Front } from "./front";

import { RatePage } from "./rate";
import { RewordPage } from "./reword";
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
  const room = useWire().state?.room;
  if (!room || room.role === "user" || room.role === "wizard") return null;
  if (room.role === "writer") return <WritePage room={room} />;
  if (room.role === "paraphraser") return <RewordPage room={room} />;
  if (room.role === "rater") return <RatePage room={room} />;
  if (room.role === "tester") return <TalkPage room={room} />;
  if (room.role === "transcriber") return <TypePage room={room} />;
  return <AnnotatePage room={room} />;
}
