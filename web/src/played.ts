/** A script in place of the server, for previews and for `npm run dev`. */

interface Message {
  type: string;
  client_msg_id: string;
  body: { text?: string; reason?: string };
}

export type Push = (frame: unknown) => void;

export interface Script {
  /** What the server sends once a page has connected. */
  frames: unknown[];
  /** The response to a request; undefined where the real server answers. */
  fetched: (path: string) => Response | Promise<Response> | undefined;
  /** Answers a message; by default nothing does. */
  answer?: (message: Message, push: Push) => void;
  /** Whether the connection is lost soon, and no other one is answered. */
  lost?: boolean;
}

export const json = (body: unknown, status = 200): Response =>
  new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json" } });

/** Lets a script answer the pages' requests and sockets. */
export function play({ frames, fetched, answer, lost = false }: Script): void {
  const real = globalThis.fetch.bind(globalThis);
  globalThis.fetch = async (input, init) => fetched(String(input)) ?? real(input, init);
  let opened = 0;
  globalThis.WebSocket = class {
    onopen: (() => void) | null = null;
    onmessage: ((event: { data: string }) => void) | null = null;
    onclose: ((event: { code: number; reason: string }) => void) | null = null;

    constructor() {
      opened += 1;
      setTimeout(() => this.onopen?.());
    }

    send(text: string): void {
      const message = JSON.parse(text) as Message;
      const push = (frame: unknown) => {
        setTimeout(() => this.onmessage?.({ data: JSON.stringify(frame) }));
      };
      if (lost && opened > 1) return;
      if (message.type === "ping") push({ type: "pong" });
      else if (message.type !== "hello") answer?.(message, push);
      else {
        frames.forEach(push);
        if (lost) setTimeout(() => this.onclose?.({ code: 1012, reason: "" }), 300);
      }
    }

    close(): void {}
  } as unknown as typeof WebSocket;
}
