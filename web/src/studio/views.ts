/** The views of the studio; each is loaded when it is first wanted (README.md). */

import type { ComponentType } from "preact";
import type { Folder } from "./folder";

export interface ViewProps {
  path: string;
  query: URLSearchParams;
  folder: Folder;
}

export interface ViewSettings {
  name: string;
  title: string;
  /** Its purpose, on the first page. */
  what: string;
  /** Whether it shows its own list while no file is chosen. */
  list?: boolean;
  load: () => Promise<{ View: ComponentType<ViewProps> }>;
}

export const VIEWS: ViewSettings[] = [
  {
    name: "tasks",
    title: "Tasks",
    what: "Write a task, see its dialogues, talk to it.",
    list: true,
    load: () => import("./tasks/tasks"),
  },
  {
    name: "corpora",
    title: "Corpora",
    what: "Search and read dialogues, and correct them.",
    load: () => import("./corpora/corpora"),
  },
  {
    name: "runs",
    title: "Runs",
    what: "Compare agents and models, and read their failures.",
    load: () => import("./runs/runs"),
  },
];
