/** The content of the studio's folder. */

import { get } from "../api";

export type Kind =
  | "task"
  | "settings"
  | "corpus"
  | "run"
  | "result"
  | "study"
  | "link"
  | "unreadable"
  | "other";

export interface Entry {
  path: string;
  /** The view that opens it; "" where none does. */
  view: string;
  kind: Kind;
  /** The name of its format, agent or protocol. */
  name: string;
  /** Seconds since 1970. */
  changed: number;
}

export interface Listing {
  name: string;
  path: string;
  entries: Entry[];
  /** There is more than is listed. */
  cut: boolean;
  /** There may be entries that are not found yet. */
  walking: boolean;
  /** The number of the search that finds them all. */
  search: number;
}

export class Folder {
  constructor(
    readonly listing: Listing,
    /** Reads the folder again. */
    readonly refresh: () => Promise<void>,
  ) {}

  /** The entries of a view. */
  of(view: string): Entry[] {
    return this.listing.entries.filter((entry) => entry.view === view);
  }
}

/** Reads the folder; `search` is the one that is waited for, by default one that begins now. */
export const load = (search = 0): Promise<Listing> => get<Listing>(`/api/folder?search=${search}`);
