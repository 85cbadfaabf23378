import { render } from "preact";
import { speak, teach } from "../texts";
import { Shell } from "./shell";
import en from "./studio.en.json";
import "../style/colours.css";
import "../style/ground.css";
import "../style/frame.css";
import "../style/fields.css";
import "../style/tables.css";
import "../style/dialogs.css";
import "./studio.css";

const others = import.meta.glob<{ default: Record<string, string> }>([
  "./studio.??.json",
  "!./studio.en.json",
]);

const root = document.getElementById("app");
if (root) {
  await teach(en, (language) => others[`./studio.${language}.json`]);
  await speak(navigator.language);
  render(<Shell />, root);
}
