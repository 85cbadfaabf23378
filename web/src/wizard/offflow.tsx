/** The flow guard asks: this reply is not what the flow expects here. */

import { useState } from "preact/hooks";
import { handing } from "../fields";
import { Dialog } from "../parts";
import type { Refusal } from "../state";
import { t } from "../texts";
import { Wording } from "./chart";

const LONGEST = 500;

interface Props {
  refusal: Refusal;
  label: string;
  /** Whether a reason is to be written. */
  reasoned: boolean;
  onSend: (reason: string) => void;
  onClose: () => void;
}

export function OffFlow({ refusal, label, reasoned, onSend, onClose }: Props) {
  const [reason, setReason] = useState("");
  const usable = !reasoned || reason.trim().length > 1;
  return (
    <Dialog title={t("guard.title")} onClose={onClose}>
      <p>{t("guard.text")}</p>
      <p class="bubble" dir="auto">
        {label}
      </p>
      <h3>{t("guard.expected")}</h3>
      <ul>
        {(refusal.expected ?? []).map(({ id, text }) => (
          <li key={id}>
            <Wording text={text ?? ""} /> <code>{id}</code>
          </li>
        ))}
      </ul>
      <form onSubmit={handing(() => usable && onSend(reason.trim() || "-"))}>
        {reasoned && (
          <div class="field">
            <label for="reason">{t("guard.reason")}</label>
            <textarea
              id="reason"
              rows={2}
              maxLength={LONGEST}
              aria-required="true"
              value={reason}
              onInput={(event) => setReason(event.currentTarget.value)}
            />
          </div>
        )}
        <div class="row">
          <button type="submit" aria-disabled={!usable}>
            {t("guard.send")}
          </button>
          <button type="button" class="main" autofocus={!reasoned} onClick={onClose}>
            {t("back")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
