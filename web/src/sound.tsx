/** A sound that somebody said, to be played. */

import { useEffect, useRef, useState } from "preact/hooks";
import { getBlob, soundPath } from "./api";
import { t } from "./texts";

export interface Sound {
  digest: string;
  media: string;
  seconds: number;
}

interface Props {
  sound: Sound;
  /** Plays by itself, where the browser lets it, and again with F2. */
  current?: boolean;
  /** For pages other than a participant's. */
  path?: string;
}

export function SoundPlayer({ sound, current, path }: Props) {
  const player = useRef<HTMLAudioElement>(null);
  const [address, setAddress] = useState<string>();
  const [lost, setLost] = useState(false);
  useEffect(() => {
    let made = "";
    getBlob(path ?? soundPath(sound.digest)).then(
      (blob) => {
        made = URL.createObjectURL(blob);
        setAddress(made);
      },
      () => setLost(true),
    );
    return () => URL.revokeObjectURL(made);
  }, [sound.digest, path]);
  const play = () => {
    if (!player.current) return;
    player.current.currentTime = 0;
    // A browser may want a touch or a key first: the player is there for it.
    player.current.play().catch(() => undefined);
  };
  useEffect(() => {
    if (!current || !address) return;
    play();
    const again = (event: KeyboardEvent) => {
      if (event.key !== "F2") return;
      event.preventDefault();
      play();
    };
    document.addEventListener("keydown", again);
    return () => document.removeEventListener("keydown", again);
  }, [current, address]);
  if (lost) return <span class="soft small">{t("sound.lost")}</span>;
  return (
    <span class="sound">
      {/* biome-ignore lint/a11y/useMediaCaption: what was said is what is to be typed */}
      <audio ref={player} controls src={address} aria-label={t("sound.label")} />
      <span class="soft small">
        {t("sound.seconds", { seconds: sound.seconds })}
        {current && ` · ${t("sound.again")}`}
      </span>
    </span>
  );
}
