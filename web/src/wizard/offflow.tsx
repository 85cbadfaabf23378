/** The flow guard asks: this reply is not what the flow expects here. */

import { useState } from "preact/hooks";
import { Dialog } from "../dialog";
import { handing, Length, TextField, tooLong } from "../fields";
import type { Refusal } from "../state";
import { t } from "../texts";
import { Wording } from "./chart";

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
  const usable = !reasoned || (reason.trim().length > 1 && !tooLong(reason));
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
            <Wording text={text ?? ""} /> <code translate={false}>{id}</code>
          </li>
        ))}
      </ul>
      <form onSubmit={handing(() => usable && onSend(reason.trim() || "-"))}>
        {reasoned && (
          <div class="field">
            <label for="reason">{t("guard.reason")}</label>
            <TextField
              id="reason"
              rows={2}
              aria-required="true"
              value={reason}
              onChange={setReason}
            />
            <Length text={reason} />
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
