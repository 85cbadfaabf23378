/** A dialogue in which the user speaks, and hears what the assistant writes. */

import { Lines, underWay } from "../chat";
import { useWire } from "../parts";
import type { UserRoom } from "../state";
import { t } from "../texts";
import { Speaking } from "./speaking";
import { say, useHearing, useVoice } from "./voice";

export function Speech({ room }: { room: UserRoom }) {
  const wire = useWire();
  const voice = useVoice();
  useHearing(wire.events, voice);
  // Without a voice there is nothing but the text.
  const reads = room.speech?.read || !voice;
  const hear = (text: string) => (
    <>
      {reads && text}{" "}
      <button type="button" class="quiet small" onClick={() => say(text)}>
        {t("speech.hear")}
      </button>
    </>
  );
  const yours = room.turn === "user" && !underWay(wire.outbox);
  return (
    <section class="card chat" aria-label={t("chat.title")}>
      <Lines role="user" onRetry={() => undefined} hear={voice ? hear : undefined} />
      <Speaking limit={room.speech?.seconds ?? 0} yours={yours} />
    </section>
  );
}
