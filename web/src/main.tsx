import { render } from "preact";
import { App } from "./app";
import "./style/colours.css";
import "./style/ground.css";
import "./style/frame.css";
import "./style/fields.css";
import "./style/tables.css";
import "./style/leaf.css";
import "./style/unit.css";
import "./style/dialogs.css";
import "./style/narrow.css";

const root = document.getElementById("app");
if (root) render(<App />, root);
