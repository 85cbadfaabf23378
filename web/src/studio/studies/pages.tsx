/** The pages of a study as each person sees them, in a frame. */

import { useState } from "preact/hooks";
import { t } from "../../texts";
import { useAnswer } from "../answer";

const DELAY = 800;

interface Played {
  /** The part of the pages' addresses that changes with each answer. */
  key: string;
  pages: { file: string; stage: string; person: string; step: string }[];
}

/** Asks for the pages of a text without findings; with null the earlier ones stay. */
export function Pages({ asked }: { asked: object | null }) {
  const { value, failure, waiting } = useAnswer<Played>("/api/studies/pages", asked, DELAY);
  const [at, setAt] = useState(0);
  const [phone, setPhone] = useState(false);
  const pages = value?.pages ?? [];
  const place = Math.min(at, Math.max(pages.length - 1, 0));
  const page = pages[place];
  return (
    <div class="panel pages" aria-busy={waiting}>
      {failure && <p class="notice bad">{failure}</p>}
      <p class="soft small" role="status">
        {t(!asked ? "studio.pages.later" : waiting ? "studio.pages.waiting" : "studio.pages.about")}
      </p>
      {page && (
        <>
          <div class="row">
            <button type="button" class="small" disabled={!place} onClick={() => setAt(place - 1)}>
              {t("studio.pages.before")}
            </button>
            <select
              aria-label={t("studio.pages.which")}
              value={place}
              onChange={({ currentTarget }) => setAt(Number(currentTarget.value))}
            >
              {pages.map(({ file, stage, person, step }, number) => (
                <option key={file} value={number}>
                  {stage} · {person} · {step}
                </option>
              ))}
            </select>
            <button
              type="button"
              class="small"
              disabled={place + 1 >= pages.length}
              onClick={() => setAt(place + 1)}
            >
              {t("studio.pages.next")}
            </button>
            <label class="choice">
              <input
                type="checkbox"
                checked={phone}
                onChange={({ currentTarget }) => setPhone(currentTarget.checked)}
              />
              {t("studio.pages.phone")}
            </label>
          </div>
          <iframe
            class={phone ? "phone" : ""}
            title={`${page.stage}, ${page.person}, ${page.step}`}
            src={`/study/${value?.key}/${encodeURIComponent(page.file)}`}
            sandbox="allow-scripts"
          />
        </>
      )}
    </div>
  );
}
