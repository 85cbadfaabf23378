/** Trying the microphone before a dialogue begins. */

import { useEffect, useRef, useState } from "preact/hooks";
import { Problem } from "../fields";
import { type Key, t } from "../texts";
import { Microphone, obstacle, SILENCE, type Trouble } from "./microphone";

type Found = Trouble | "asked" | "listens" | "works";

export function MicrophoneCheck() {
  const [found, setFound] = useState<Found | null>(obstacle());
  const microphone = useRef<Microphone | null>(null);
  const meter = useRef<HTMLMeterElement>(null);
  useEffect(() => () => microphone.current?.close(), []);
  const tried = async () => {
    if (microphone.current) return;
    setFound("asked");
    try {
      microphone.current = await Microphone.open((level) => {
        if (meter.current) meter.current.value = level;
        if (level > SILENCE) setFound("works");
      });
      setFound("listens");
    } catch (trouble) {
      setFound(trouble as Trouble);
    }
  };
  const message = found && MESSAGES[found];
  return (
    <fieldset class="field speaking">
      <legend>{t("speech.check")}</legend>
      <p>{t("speech.check.text")}</p>
      <div class="row">
        <button type="button" onClick={() => void tried()}>
          {t("speech.check.try")}
        </button>
        <meter ref={meter} min={0} max={1} value={0} aria-label={t("speech.level")} />
      </div>
      <p role="status">{message && t(message)}</p>
      <Problem text={found && !message ? t(`speech.trouble.${found as Trouble}`) : null} />
    </fieldset>
  );
}

const MESSAGES: Partial<Record<Found, Key>> = {
  asked: "speech.asking",
  listens: "speech.check.listens",
  works: "speech.check.works",
};
