/** A fault of the page's own: it shows people what to do. */

import { useEffect, useState } from "preact/hooks";
import { Heading } from "./parts";
import { t } from "./texts";

/** Only what our own scripts throw counts: browsers' extensions throw as well. */
const own = (text: string | undefined): boolean => text?.includes("/pages/") ?? false;

function Reload() {
  return (
    <button type="button" class="main" onClick={() => location.reload()}>
      {t("fault.reload")}
    </button>
  );
}

/** Takes the place of a page that cannot be drawn. */
export const broken = (what: string) => (
  <main class="leaf">
    <Heading>{t("fault.title")}</Heading>
    <section class="card">
      <p role="alert">{t("fault.text")}</p>
      <Reload />
      <p class="soft small">
        {t("fault.again")} <code>{what}</code>
      </p>
    </section>
  </main>
);

/** Faults outside of drawing: a script that did not load, an answer nobody expected. */
export function Faults() {
  const [what, setWhat] = useState<string | null>(null);
  useEffect(() => {
    const thrown = ({ error, filename }: ErrorEvent) => {
      if (error && own(filename)) setWhat(String(error));
    };
    const rejected = ({ reason }: PromiseRejectionEvent) => {
      if (own(reason?.stack) || own(String(reason))) setWhat(String(reason));
    };
    addEventListener("error", thrown);
    addEventListener("unhandledrejection", rejected);
    return () => {
      removeEventListener("error", thrown);
      removeEventListener("unhandledrejection", rejected);
    };
  }, []);
  if (what === null) return null;
  return (
    <div class="notice bad fault" role="alert">
      <p>
        {t("fault.title")}. {t("fault.text")}
      </p>
      <Reload />
    </div>
  );
}
