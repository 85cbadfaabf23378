import { render } from "preact";
import { Shell } from "./shell";
import "../style/colours.css";
import "../style/ground.css";
import "../style/frame.css";
import "../style/fields.css";
import "../style/tables.css";
import "../style/dialogs.css";
import "./studio.css";

const root = document.getElementById("app");
if (root) render(<Shell />, root);
