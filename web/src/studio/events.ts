/** A state that the server sends as it changes. */

import { useEffect, useState } from "preact/hooks";

export function useEvents<T>(address: string, name: string): T | null {
  const [state, setState] = useState<T | null>(null);
  useEffect(() => {
    setState(null);
    const source = new EventSource(address);
    source.addEventListener(name, ({ data }) => setState(JSON.parse(data) as T));
    return () => source.close();
  }, [address, name]);
  return state;
}
