/** The page of somebody who works on a document, by its kind; loaded when it is wanted. */

import { useWire } from "../parts";
import { teach } from "../texts";
import { AnnotatePage } from "./annotate";
import en from "./en.json";
import { RewordPage } from "./reword";
import { WritePage } from "./write";
import "../style/document.css";

teach(en);

export function DocumentPage() {
  const room = useWire().state?.room;
  if (!room || room.role === "user" || room.role === "wizard") return null;
  if (room.role === "writer") return <WritePage room={room} />;
  if (room.role === "paraphraser") return <RewordPage room={room} />;
  return <AnnotatePage room={room} />;
}
