/** Keys and values that a place of a task file allows, from the JSON Schema of task files. */

import type { Place } from "./place";

export interface Schema {
  description?: string;
  type?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  enum?: unknown[];
  examples?: unknown[];
  const?: unknown;
  required?: string[];
}

export interface Suggestion {
  label: string;
  about: string;
  needed: boolean;
}

/** A schema as its alternatives, each without alternatives of its own. */
function alternatives(schema: Schema): Schema[] {
  const inner = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  const whole = inner.length === 0 || schema.properties !== undefined;
  const about = schema.description;
  const found = inner.flatMap(alternatives).map((each) => ({ description: about ?? "", ...each }));
  return whole ? [schema, ...found.filter((each) => each.type !== undefined)] : found;
}

const isSchema = (value: unknown): value is Schema => typeof value === "object" && value !== null;

/** The schemas of a key's value, or of the items of a list on the way to it. */
function below(schemas: Schema[], key: string): Schema[] {
  return schemas.flatMap((schema) => {
    const named = schema.properties?.[key];
    if (named) return alternatives(named);
    if (schema.items) return below(alternatives(schema.items), key);
    return isSchema(schema.additionalProperties) ? alternatives(schema.additionalProperties) : [];
  });
}

/** The schemas that fit the keys that are there: of a slot, those of its type. */
function fitting(schemas: Schema[], siblings: Map<string, string>): Schema[] {
  const inner = schemas.flatMap((each) => (each.items ? alternatives(each.items) : [each]));
  const score = ({ properties = {} }: Schema) => {
    let sum = 0;
    for (const [key, value] of siblings) {
      const fixed = properties[key]?.const;
      if (key in properties) sum += fixed === undefined ? 1 : fixed === value ? 9 : -9;
    }
    return sum;
  };
  const best = Math.max(...inner.map(score));
  return inner.filter((each) => score(each) === best);
}

const reached = (root: Schema, path: string[]): Schema[] => path.reduce(below, alternatives(root));

/** Descriptions of the names of one's own, or the items of a list, that a place may hold. */
export function heldAt(
  root: Schema,
  { path }: Place,
): { name: string | null; item: string | null } {
  const about = (schemas: (Schema | boolean | undefined)[]) =>
    schemas.filter(isSchema).map(({ description = "" }) => description)[0] ?? null;
  const found = reached(root, path);
  return {
    name: about(found.map(({ additionalProperties }) => additionalProperties)),
    item: about(found.map(({ items }) => items)),
  };
}

export function schemasAt(root: Schema, { path, siblings }: Place): Schema[] {
  return fitting(reached(root, path), siblings);
}

/** The keys that may be written at a place. */
export function keysAt(root: Schema, place: Place): Suggestion[] {
  const found = new Map<string, Suggestion>();
  const schemas = schemasAt(root, place);
  for (const schema of schemas) {
    const { properties = {}, required = [], anyOf = [] } = schema;
    // keys that are needed unless another one is there
    const either = anyOf.map((each) => each.required ?? []);
    const met = either.some((keys) => keys.length && keys.every((key) => place.siblings.has(key)));
    const needed = met ? required : [...required, ...(either.at(-1) ?? [])];
    for (const [label, { description = "" }] of Object.entries(properties)) {
      if (place.siblings.has(label)) continue;
      const always = schemas.every((each) => each === schema || each.required?.includes(label));
      found.set(label, { label, about: description, needed: always && needed.includes(label) });
    }
  }
  return [...found.values()];
}

/** The words that a key's value may be. */
export function valuesAt(root: Schema, place: Place, key: string): Suggestion[] {
  // what the key's own value says of its schema is what is being written
  const others = new Map([...place.siblings].filter(([name]) => name !== key));
  const found = below(schemasAt(root, { ...place, siblings: others }), key);
  const words = found.flatMap((each) => {
    if (each.type === "boolean") return [true, false];
    return each.const === undefined ? (each.enum ?? each.examples ?? []) : [each.const];
  });
  return [...new Set(words.map(String))].map((label) => ({ label, about: "", needed: false }));
}

/** The description of a key, in a few words. */
export function about(root: Schema, place: Place, key: string): string {
  const found = below(schemasAt(root, place), key).map(({ description = "" }) => description);
  return [...new Set(found.filter(Boolean))].join("; ");
}
