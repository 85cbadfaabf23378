/** The browser's voice: it says what the assistant writes, where the browser has one. */

import { useEffect, useRef, useState } from "preact/hooks";
import type { UnitEvent } from "../state";
import { currentLanguage } from "../texts";

const voices = (): SpeechSynthesisVoice[] =>
  "speechSynthesis" in window ? speechSynthesis.getVoices() : [];

/** Says a text, and nothing else any more. */
export function say(text: string): void {
  const speech = new SpeechSynthesisUtterance(text);
  speech.lang = currentLanguage();
  speechSynthesis.cancel();
  speechSynthesis.speak(speech);
}

/** Whether there is a voice; browsers find theirs a moment after the page has come. */
export function useVoice(): boolean {
  const [there, setThere] = useState(voices().length > 0);
  useEffect(() => {
    if (!("speechSynthesis" in window)) return;
    const look = () => setThere(voices().length > 0);
    speechSynthesis.addEventListener("voiceschanged", look);
    return () => {
      speechSynthesis.removeEventListener("voiceschanged", look);
      speechSynthesis.cancel();
    };
  }, []);
  return there;
}

/** Says what the assistant says from now on; what was said before the page came is not repeated. */
export function useHearing(events: readonly UnitEvent[], on: boolean): void {
  const newest = events.findLast(({ event }) => event.kind === "say" && event.from === "wizard");
  const first = useRef(true);
  useEffect(() => {
    const begins = first.current;
    first.current = false;
    if (!begins && on && newest?.event.kind === "say") say(newest.event.text);
  }, [newest?.seq]);
}
