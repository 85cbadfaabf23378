/** The content of the studio's folder. */

import { get } from "../api";

export interface Entry {
  path: string;
  /** The view that opens it; "" where none does. */
  view: string;
  what: string;
  /** Seconds since 1970. */
  changed: number;
}

export interface Listing {
  name: string;
  path: string;
  entries: Entry[];
  /** There is more than is listed. */
  cut: boolean;
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

export const load = (): Promise<Listing> => get<Listing>("/api/folder");
