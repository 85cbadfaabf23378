/** The speaker's controls: press, speak, listen to it, send it or say it anew. */

import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { putSound, Refusal } from "../api";
import { Problem } from "../fields";
import { useTurn, useWire } from "../parts";
import { type Key, maybe, t } from "../texts";
import { Microphone, obstacle, type Recording, SILENCE, type Trouble } from "./microphone";

/** Milliseconds of a press from which on letting go ends the recording; a shorter one leaves it on. */
const HELD = 400;
/** Seconds that a recording has at least. */
const SHORTEST = 0.3;

type Step = "idle" | "asking" | "recording" | "recorded" | "sending";

interface Props {
  /** The longest turn, in seconds. */
  limit: number;
  yours: boolean;
}

export function Speaking({ limit, yours }: Props) {
  const meter = useRef<HTMLMeterElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const recorder = useRecorder(limit, yours, (level) => {
    if (meter.current) meter.current.value = level;
  });
  const { step, recording } = recorder;
  useTurn(yours, button);
  const hindered = obstacle();
  const problem = recorder.problem ?? (hindered && t(`speech.trouble.${hindered}`));
  return (
    <div class={yours ? "composer yours speaking" : "composer speaking"}>
      <p class="turn" role="status">
        {t(yours ? (TURN[step] ?? "speech.yours") : "turn.wait.wizard")}
      </p>
      {recording && yours ? (
        <Recorded recorder={recorder} recording={recording} />
      ) : (
        <div class="row">
          <TalkButton button={button} recorder={recorder} off={!yours || hindered !== null} />
          <meter ref={meter} min={0} max={1} value={0} aria-label={t("speech.level")} />
        </div>
      )}
      <p class="soft small" id="speech-how">
        {t("speech.how", { seconds: limit })}
      </p>
      <Problem text={problem} />
    </div>
  );
}

interface TalkButtonProps {
  button: RefObject<HTMLButtonElement | null>;
  recorder: Recorder;
  off: boolean;
}

function TalkButton({ button, recorder, off }: TalkButtonProps) {
  const { step, begin, end } = recorder;
  const records = step === "recording";
  const press = usePress(step, begin, end);
  const on = !off && (records || step === "idle");
  // After a recording is dropped, the focused button is gone.
  useLayoutEffect(() => {
    if (document.activeElement === document.body) button.current?.focus();
  }, []);
  return (
    <button
      type="button"
      ref={button}
      class={records ? "talk-button on" : "talk-button main"}
      aria-disabled={!on}
      aria-describedby="speech-how"
      {...(on ? press : {})}
    >
      {t(records ? "speech.stop" : "speech.press")}
    </button>
  );
}

interface Recorder {
  step: Step;
  problem: string | null;
  recording: Recording | null;
  begin: () => Promise<void>;
  end: () => Promise<void>;
  /** Drops what was recorded. */
  again: () => void;
  send: () => Promise<void>;
}

/** One recording after the other, each listened to and sent, or dropped. */
function useRecorder(limit: number, yours: boolean, onLevel: (level: number) => void): Recorder {
  const wire = useWire();
  const [step, setStep] = useState<Step>("idle");
  const [problem, setProblem] = useState<string | null>(null);
  const [recording, setRecording] = useState<Recording | null>(null);
  const microphone = useRef<Microphone | null>(null);
  useEffect(() => () => microphone.current?.close(), []);
  useEffect(() => setStep("idle"), [yours]);
  const become = (next: Step, wrong: string | null = null) => {
    setStep(next);
    setProblem(wrong);
  };
  const begin = async () => {
    become("asking");
    try {
      microphone.current ??= await Microphone.open(onLevel);
      microphone.current.start();
      become("recording");
    } catch (trouble) {
      become("idle", t(`speech.trouble.${trouble as Trouble}`));
    }
  };
  const end = async () => {
    const made = await microphone.current?.stop();
    if (!made || made.seconds < SHORTEST) return become("idle", t("speech.short"));
    setRecording(made);
    become("recorded", made.loudest < SILENCE ? t("speech.silent") : null);
  };
  useEffect(() => {
    if (step !== "recording") return;
    const timer = setTimeout(() => void end(), limit * 1000);
    return () => clearTimeout(timer);
  }, [step]);
  const again = () => {
    setRecording(null);
    become("idle");
  };
  const send = async () => {
    if (!recording || step === "sending") return;
    become("sending");
    try {
      const sound = await putSound(recording.blob);
      const answer = await wire.send("speak", { sound, seconds: recording.seconds });
      if (!answer.ok) throw new Refusal(0, answer.refusal.code, answer.refusal.what);
      setRecording(null);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { code, message } = error;
      const why = maybe(`speech.refused.${code}`, maybe(`refused.${code}`, message));
      become("recorded", `${t("speech.unsent")} ${why}`);
    }
  };
  return { step, problem, recording, begin, end, again, send };
}

const TURN: Partial<Record<Step, Key>> = {
  asking: "speech.asking",
  recording: "speech.recording",
  recorded: "speech.recorded",
  sending: "speech.sending",
};

interface RecordedProps {
  recorder: Recorder;
  recording: Recording;
}

/** The recording before it is sent: it has not left the browser. */
function Recorded({ recorder, recording }: RecordedProps) {
  const [address, setAddress] = useState<string>();
  const button = useRef<HTMLButtonElement>(null);
  const sending = recorder.step === "sending";
  useEffect(() => {
    const made = URL.createObjectURL(recording.blob);
    setAddress(made);
    button.current?.focus();
    return () => URL.revokeObjectURL(made);
  }, [recording]);
  return (
    <>
      {/* biome-ignore lint/a11y/useMediaCaption: one's own words, said a moment ago */}
      <audio controls src={address} aria-label={t("speech.listen")} />
      <div class="row">
        <button
          type="button"
          class="main"
          ref={button}
          aria-disabled={sending}
          onClick={() => void recorder.send()}
        >
          {t("speech.send")}
        </button>
        <button type="button" aria-disabled={sending} onClick={() => sending || recorder.again()}>
          {t("speech.again")}
        </button>
      </div>
    </>
  );
}

/** Holding a button, with mouse, finger or key, or pressing it twice: both begin and end. */
function usePress(step: Step, begin: () => Promise<void>, end: () => Promise<void>) {
  const since = useRef<number | null>(null);
  const ends = useRef(false);
  const recording = step === "recording";
  // Let go while the browser was still asking: the press counts as a short one.
  const down = () => {
    if (since.current !== null) return;
    since.current = performance.now();
    ends.current = recording;
    if (!recording) void begin();
  };
  const up = () => {
    const held = since.current !== null && performance.now() - since.current >= HELD;
    since.current = null;
    if (recording && (ends.current || held)) void end();
  };
  const isPress = (event: KeyboardEvent) => event.key === " " || event.key === "Enter";
  return {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return;
      (event.currentTarget as Element).setPointerCapture(event.pointerId);
      down();
    },
    onPointerUp: up,
    onPointerCancel: up,
    onKeyDown: (event: KeyboardEvent) => {
      if (!isPress(event)) return;
      event.preventDefault();
      if (!event.repeat) down();
    },
    onKeyUp: (event: KeyboardEvent) => {
      if (!isPress(event)) return;
      event.preventDefault();
      up();
    },
    // A click without pointer or key comes from a screen reader.
    onClick: (event: MouseEvent) => {
      if (event.detail === 0) void (recording ? end() : begin());
    },
  };
}
