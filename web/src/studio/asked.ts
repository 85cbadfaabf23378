/** The answer of the server to an address, asked for again whenever the address changes. */

import { useEffect, useState } from "preact/hooks";
import { get } from "../api";
import { reason } from "./reason";

export interface Asked<T> {
  found: T | null;
  problem: string;
  /** Whether there is an answer, which may be null. */
  done: boolean;
  set: (found: T) => void;
}

/** The last answer stays until the next one is there. `again` asks the same once more. */
export function useAsked<T>(address: string, again: unknown = null): Asked<T> {
  const [found, set] = useState<T | null>(null);
  const [problem, setProblem] = useState("");
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!address) return;
    let late = false;
    get<T>(address).then(
      (answer) => {
        if (late) return;
        set(answer);
        setDone(true);
        setProblem("");
      },
      (error: unknown) => {
        if (!late) setProblem(reason(error));
      },
    );
    return () => {
      late = true;
    };
  }, [address, again]);
  return { found, problem, done, set };
}
