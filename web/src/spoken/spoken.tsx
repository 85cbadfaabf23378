/** The pages of who speaks, loaded when they are wanted. */

import { teach } from "../texts";
import en from "./spoken.en.json";
import "../style/spoken.css";

export { MicrophoneCheck } from "./check";
export { Speech } from "./speech";

const others = import.meta.glob<{ default: Record<string, string> }>([
  "./spoken.??.json",
  "!./spoken.en.json",
]);

/** Done when their texts are there. */
export const ready = teach(en, (language) => others[`./spoken.${language}.json`]);
