/** Requests to the server, all to its own origin. */

export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    what: string,
    /** After how many seconds to ask again, where the server says so. */
    readonly after: number | null = null,
    /** The languages to choose from, where one is wanted. */
    readonly languages: string[] = [],
  ) {
    super(what);
  }
}

interface ErrorBody {
  code?: string;
  what?: string;
  retry_after?: number;
  languages?: string[];
}

async function ask(path: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, { credentials: "same-origin", cache: "no-store", ...init });
  } catch {
    throw new Refusal(0, "unreachable", "");
  }
  if (response.ok) return response;
  const body = (await response.json().catch(() => ({}))) as ErrorBody;
  const { code = String(response.status), what = "", retry_after = null } = body;
  throw new Refusal(response.status, code, what, retry_after, body.languages);
}

export async function get<T>(path: string): Promise<T> {
  return (await (await ask(path, {})).json()) as T;
}

export async function getText(path: string): Promise<string> {
  return (await ask(path, {})).text();
}

/** `signal` gives the request up: it then fails as one that found no server. */
export async function post<T>(path: string, body: unknown = {}, signal?: AbortSignal): Promise<T> {
  const response = await ask(path, {
    method: "POST",
    signal: signal ?? null,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  return (await response.json().catch(() => ({}))) as T;
}

export interface Joining {
  worker?: string;
  language?: string;
  source?: Record<string, string>;
  again?: boolean;
  key?: string;
}

export const join = (link: string, joining: Joining): Promise<{ assignment: number }> =>
  post(`/api/join/${encodeURIComponent(link)}`, joining);

/** The address of a sound of this link's dialogue. */
export const soundPath = (digest: string): string => {
  const link = /^\/join\/([^/]+)/.exec(location.pathname)?.[1] ?? "";
  return `/api/blobs/${link}/${digest}`;
};

export const getBlob = async (path: string): Promise<Blob> => (await ask(path, {})).blob();

/** Puts a sound on the server, under the SHA-256 of its bytes, which it returns; twice is as once. */
export async function putSound(sound: Blob): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", await sound.arrayBuffer());
  const digest = Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0"));
  const name = digest.join("");
  const headers = { "Content-Type": sound.type };
  await ask(soundPath(name), { method: "PUT", headers, body: sound });
  return name;
}

export function socketAddress(link: string): string {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  return `${scheme}://${location.host}/ws/${encodeURIComponent(link)}`;
}
