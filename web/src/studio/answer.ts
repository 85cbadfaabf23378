/** Answers of the server about what is being edited: the last asked counts, older ones are dropped. */

import { useEffect, useState } from "preact/hooks";
import { post } from "../api";
import { reason } from "./reason";

export interface Answer<T> {
  /** The last answer, which stays until the next comes. */
  value: T | null;
  /** The body of the request that it answers. */
  asked: object | null;
  /** Why the last request has no answer. */
  failure: string;
  waiting: boolean;
}

const NONE = { value: null, asked: null, failure: "", waiting: false };

/** Asks once `body` has been the same for `delay` ms; with null nothing is asked. */
export function useAnswer<T>(path: string, body: object | null, delay = 0): Answer<T> {
  const [answer, setAnswer] = useState<Answer<T>>(NONE);
  const asked = body && JSON.stringify(body);
  useEffect(() => {
    if (asked === null) return;
    const giving = new AbortController();
    setAnswer((before) => ({ ...before, waiting: true }));
    const timer = setTimeout(() => {
      const about = JSON.parse(asked);
      post<T>(path, about, giving.signal).then(
        (value) => {
          if (!giving.signal.aborted)
            setAnswer({ value, asked: about, failure: "", waiting: false });
        },
        (error: unknown) => {
          if (giving.signal.aborted) return;
          setAnswer((before) => ({ ...before, failure: reason(error), waiting: false }));
        },
      );
    }, delay);
    return () => {
      clearTimeout(timer);
      giving.abort();
    };
  }, [path, asked, delay]);
  return answer;
}
