/**
 * Reads the SVG of a flow chart (schema/flowchart.py): only shapes and texts come through, no
 * script, style or address, whatever the file says.
 */

export type Kind = "user" | "system" | "call" | "result";

export interface DrawnNode {
  name: string;
  kind: Kind;
  /** The first of what may be said there. */
  said: string;
  box: SVGElement;
}

export interface Drawing {
  svg: SVGElement;
  nodes: DrawnNode[];
  /** Names of the nodes that follow a node. */
  after: (name: string) => string[];
}

const SVG = "http://www.w3.org/2000/svg";
const ELEMENTS = new Set(["svg", "g", "rect", "path", "text", "title", "defs", "marker"]);
const ATTRIBUTES = new Set(
  (
    "class d height id markerHeight markerWidth orient refX refY role rx transform viewBox " +
    "width x y"
  ).split(" "),
);
const KINDS: readonly Kind[] = ["user", "system", "call", "result"];
const ARROW = "url(#flow-tip)";

/** A copy that holds nothing but what is listed above. */
function clean(element: Element): SVGElement | null {
  if (!ELEMENTS.has(element.localName)) return null;
  const copy = document.createElementNS(SVG, element.localName);
  for (const { name, value } of element.attributes) {
    if (ATTRIBUTES.has(name)) copy.setAttribute(name, value);
  }
  if (element.getAttribute("marker-end") === ARROW) copy.setAttribute("marker-end", ARROW);
  for (const child of element.childNodes) {
    if (child instanceof Element) {
      const cleaned = clean(child);
      if (cleaned) copy.append(cleaned);
    } else if (["text", "title"].includes(element.localName)) copy.append(child.textContent ?? "");
  }
  return copy;
}

/** People read words, not identifiers. */
const worded = (text: string): string => text.replaceAll("_", " ").trim();

function node(box: SVGElement): DrawnNode | null {
  const shape = box.querySelector(":scope > rect");
  const kind = KINDS.find((each) => shape?.classList.contains(each));
  if (!kind) return null;
  // A long name is broken into lines, after its underscores.
  const lines = [...box.querySelectorAll(":scope > text.name")].map((line) => line.textContent);
  const [said = ""] = (box.querySelector(":scope > title")?.textContent ?? "").split(" / ");
  return { name: lines.join(""), kind, said: worded(said), box };
}

/** The drawing in a document; null where it is none. */
export function read(text: string): Drawing | null {
  const root = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  const svg = root.localName === "svg" ? clean(root) : null;
  if (!svg) return null;
  svg.classList.add("flow");
  const nodes = [...svg.querySelectorAll<SVGElement>("g")].flatMap((box) => node(box) ?? []);
  for (const line of svg.querySelectorAll("text")) line.textContent = worded(line.textContent);
  const edges = new Map<string, string[]>();
  for (const title of svg.querySelectorAll("path.way > title")) {
    const [from, to] = (title.textContent ?? "").split(" → ");
    if (from && to) edges.set(from, [...(edges.get(from) ?? []), to]);
  }
  return { svg, nodes, after: (name) => edges.get(name) ?? [] };
}
