/** Announces the begin of a dialogue to a person in another tab: sound, notification, title. */

import { useEffect, useRef } from "preact/hooks";
import type { Step } from "./state";
import { t } from "./texts";
import { callBy } from "./title";

/** Hertz and seconds of two short tones. */
const TONES = [659, 880];
const TONE = 0.15;
const LOUDNESS = 0.15;

let speaker: AudioContext | null = null;

/** Asks the browser for leave to sound and notify; in a click, as browsers want. */
export function listen(): void {
  speaker ??= "AudioContext" in window ? new AudioContext() : null;
  void speaker?.resume();
  if ("Notification" in window && Notification.permission === "default") {
    void Notification.requestPermission();
  }
}

const away = (): boolean => document.visibilityState === "hidden" || !document.hasFocus();

function sound(): void {
  if (!speaker) return;
  const volume = speaker.createGain();
  volume.gain.value = LOUDNESS;
  volume.connect(speaker.destination);
  TONES.forEach((pitch, place) => {
    const tone = new OscillatorNode(speaker as AudioContext, { frequency: pitch });
    tone.connect(volume);
    tone.start((speaker as AudioContext).currentTime + place * TONE);
    tone.stop((speaker as AudioContext).currentTime + (place + 1) * TONE);
  });
}

/** Calls, in the window's title too, until somebody looks; returns what ends it. */
function call(): () => void {
  sound();
  const ended = new AbortController();
  if ("Notification" in window && Notification.permission === "granted") {
    const shown = new Notification(t("arrival.title"), { body: t("arrival.text"), tag: "arrival" });
    shown.onclick = () => focus();
    ended.signal.addEventListener("abort", () => shown.close());
  }
  callBy(t("arrival.title"));
  const { signal } = ended;
  signal.addEventListener("abort", () => callBy(""));
  const look = () => {
    if (!away()) ended.abort();
  };
  document.addEventListener("visibilitychange", look, { signal });
  addEventListener("focus", look, { signal });
  return () => ended.abort();
}

/** Calls whoever asked for it and looks elsewhere when their wait is over. */
export function useArrival(step: Step | undefined): void {
  const before = useRef(step);
  useEffect(() => {
    const arrived = before.current === "waiting" && step === "room";
    before.current = step;
    if (!arrived || !speaker || !away()) return;
    return call();
  }, [step]);
}
