/** The place of the cursor in a YAML text, by indentation, so that broken texts have places too. */

export interface Place {
  /** The keys that lead to the mapping or list that the cursor is in. */
  path: string[];
  /** The key whose value the cursor is in; null where a key is written. */
  key: string | null;
  /** The other keys of the mapping, with their values as text. */
  siblings: Map<string, string>;
  /** Column at which the word at the cursor begins. */
  from: number;
  word: string;
}

const ENTRY = /^(\s*)((?:-\s+)*)(?:(["']?)([\w .-]+)\3:(?:\s+(.*))?)?$/;

interface Entry {
  /** Column of the key, after dashes. */
  column: number;
  item: boolean;
  key: string | null;
  value: string;
}

function entry(line: string): Entry | null {
  const bare = line.replace(/\s+#.*$|^\s*#.*$/, "");
  if (!bare.trim()) return null;
  const found = ENTRY.exec(bare.trimEnd());
  const space = /^\s*/.exec(bare)?.[0].length ?? 0;
  if (!found) {
    const dashes = /^\s*((?:-\s+)*)/.exec(bare)?.[1] ?? "";
    return { column: space + dashes.length, item: dashes !== "", key: null, value: bare.trim() };
  }
  const [, , dashes = "", , key, value = ""] = found;
  return {
    column: space + dashes.length,
    item: dashes !== "" || /^\s*-$/.test(bare),
    key: key ?? null,
    value,
  };
}

/** The keys above a line that lead to a column. */
function above(lines: string[], number: number, column: number): string[] {
  const path: string[] = [];
  let within = column;
  for (let at = number - 1; at >= 0 && within > 0; at -= 1) {
    const found = entry(lines[at] ?? "");
    if (!found?.key || found.column >= within) continue;
    path.unshift(found.key);
    within = found.column - (found.item ? 1 : 0);
  }
  return path;
}

/** The keys at a column around a line, without those of the line itself. */
function around(lines: string[], number: number, column: number): Map<string, string> {
  const before = lines.slice(0, number).reverse();
  const after = lines.slice(number + 1);
  return new Map([...near(before, column, true), ...near(after, column, false)]);
}

/** The keys at a column, in order of distance, as far as their mapping goes. */
function near(lines: string[], column: number, upwards: boolean): [string, string][] {
  const keys: [string, string][] = [];
  for (const found of lines.map(entry)) {
    if (!found || found.column > column) continue;
    if (found.column < column || (found.item && !upwards)) break;
    if (found.key) keys.push([found.key, found.value]);
    if (found.item) break;
  }
  return keys;
}

/** The column at which a line after another begins: below a key without a value further in. */
export function indentAfter(line: string): number {
  const found = entry(line);
  const item = /^\s*/.exec(line)?.[0].length ?? 0;
  if (!found) return item;
  const column = found.key === null ? item : found.column;
  return column + (found.key !== null && /^[|>]?-?$/.test(found.value) ? 2 : 0);
}

const WORD = /[\w.-]*$/;

/** The place of a column (from 0) in a line (from 0). */
export function placeAt(lines: string[], number: number, at: number): Place {
  const before = (lines[number] ?? "").slice(0, at);
  const word = WORD.exec(before)?.[0] ?? "";
  const from = at - word.length;
  const inner = braced(before);
  if (inner) {
    const outer = placeAt(lines, number, inner.start);
    const path = outer.key === null ? outer.path : [...outer.path, outer.key];
    return { path, key: inner.key, siblings: inner.siblings, from, word };
  }
  const colon = /^(\s*(?:-\s+)*)(["']?)([\w .-]+)\2:\s/.exec(before);
  if (colon) {
    const column = (colon[1] ?? "").length;
    const siblings = around(lines, number, column);
    return { path: above(lines, number, column), key: colon[3] ?? "", siblings, from, word };
  }
  const lead = /^\s*((?:-\s+)*)/.exec(before);
  const column = lead?.[0].length ?? 0;
  const item = Boolean(lead?.[1]);
  const path = above(lines, number, column - (item ? 1 : 0));
  const siblings = around(lines, number, column);
  return { path, key: null, siblings, from, word };
}

/** The mapping in braces that is open at the end of a line, if it is one and no text's place. */
function braced(before: string) {
  const start = before.lastIndexOf("{");
  if (start < 0 || before.indexOf("}", start) >= 0) return null;
  if (!/[:,[{-]\s*$/.test(before.slice(0, start))) return null;
  const parts = before.slice(start + 1).split(",");
  const siblings = new Map<string, string>();
  for (const part of parts.slice(0, -1)) {
    const [name = "", value = ""] = part.split(":");
    siblings.set(name.trim(), value.trim());
  }
  const open = /^\s*([\w.-]+):\s/.exec(parts.at(-1) ?? "");
  return { start, siblings, key: open?.[1] ?? null };
}
