/** Places of the studio, as addresses after `#`: `#/tasks/shop/pizza.yaml?line=31`. */

export interface Address {
  /** The name of the view; "" for the start. */
  view: string;
  /** A file or folder of it; "" for the list of all. */
  path: string;
  query: URLSearchParams;
}

export function read(hash: string): Address {
  const [place = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [view = "", ...path] = place.split("/").map(decoded);
  return { view, path: path.filter(Boolean).join("/"), query: new URLSearchParams(query) };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // typed by hand
  }
}

export function href(view = "", path = "", query: Record<string, string | number> = {}): string {
  const parts = [view, ...path.split("/")].filter(Boolean).map(encodeURIComponent);
  const named = Object.entries(query).map(([name, value]) => [name, String(value)]);
  const asked = new URLSearchParams(named).toString();
  return `#/${parts.join("/")}${asked && `?${asked}`}`;
}

export function go(view = "", path = "", query: Record<string, string | number> = {}): void {
  location.hash = href(view, path, query);
}
