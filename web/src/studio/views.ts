/** The views of the studio; each is loaded when it is first wanted (README.md). */

import type { ComponentType } from "preact";
import type { Folder } from "./folder";

export interface ViewProps {
  path: string;
  query: URLSearchParams;
  folder: Folder;
}

export interface ViewSettings {
  name: "tasks" | "studies" | "corpora" | "runs";
  /** Whether it shows its own list while no file is chosen. */
  list?: boolean;
  load: () => Promise<{ View: ComponentType<ViewProps> }>;
}

export const VIEWS: ViewSettings[] = [
  {
    name: "tasks",
    list: true,
    load: () => import("./tasks/tasks"),
  },
  {
    name: "studies",
    list: true,
    load: () => import("./studies/studies"),
  },
  {
    name: "corpora",
    load: () => import("./corpora/corpora"),
  },
  {
    name: "runs",
    list: true,
    load: () => import("./runs/runs"),
  },
];
