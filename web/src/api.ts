/** Requests to the server, all to its own origin. */

export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    what: string,
    /** After how many seconds to ask again, where the server says so. */
    readonly after: number | null = null,
  ) {
    super(what);
  }
}

interface Told {
  code?: string;
  what?: string;
  retry_after?: number;
}

async function ask(path: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, { credentials: "same-origin", cache: "no-store", ...init });
  } catch {
    throw new Refusal(0, "unreachable", "");
  }
  if (response.ok) return response;
  const told = (await response.json().catch(() => ({}))) as Told;
  const { code = String(response.status), what = "", retry_after = null } = told;
  throw new Refusal(response.status, code, what, retry_after);
}

export async function get<T>(path: string): Promise<T> {
  return (await (await ask(path, {})).json()) as T;
}

export async function getText(path: string): Promise<string> {
  return (await ask(path, {})).text();
}

export async function post<T>(path: string, body: unknown = {}): Promise<T> {
  const response = await ask(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  return (await response.json().catch(() => ({}))) as T;
}

export interface Joining {
  worker?: string;
  source?: Record<string, string>;
  again?: boolean;
  key?: string;
}

export const join = (link: string, joining: Joining): Promise<{ assignment: number }> =>
  post(`/api/join/${encodeURIComponent(link)}`, joining);

export function socketAddress(link: string): string {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  return `${scheme}://${location.host}/ws/${encodeURIComponent(link)}`;
}
