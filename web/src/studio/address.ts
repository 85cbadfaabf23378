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

type Query = Record<string, string | number | null>;

/** Parameters as an address has them; what is empty is left out. */
export const asked = (values: Query): string =>
  new URLSearchParams(
    Object.entries(values)
      .filter(([, value]) => value !== "" && value !== null)
      .map(([name, value]) => [name, String(value)]),
  ).toString();

export function href(view = "", path = "", query: Query = {}): string {
  const parts = [view, ...path.split("/")].filter(Boolean).map(encodeURIComponent);
  const values = asked(query);
  return `#/${parts.join("/")}${values && `?${values}`}`;
}

export function go(view = "", path = "", query: Query = {}): void {
  location.hash = href(view, path, query);
}
