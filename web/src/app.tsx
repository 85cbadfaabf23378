/** Which page an address shows. */

import { useEffect, useState } from "preact/hooks";
import { broken, Faults } from "./fault";
import { Guarded } from "./guarded";
import { Join } from "./join";
import { Heading, lazy } from "./parts";
import { speak, t } from "./texts";

export function App() {
  const [spoken, setSpoken] = useState(false);
  useEffect(() => {
    void speak(navigator.language).finally(() => setSpoken(true));
  }, []);
  if (!spoken) return null;
  return (
    <Guarded instead={broken}>
      <Faults />
      <Page />
    </Guarded>
  );
}

function Page() {
  const { link = /^\/join\/([^/]+)\/?$/.exec(location.pathname)?.[1] } =
    document.documentElement.dataset;
  if (link) return <Join link={decodeURIComponent(link)} />;
  if (/^\/admin\/?$/.test(location.pathname)) return <AdminPage />;
  return (
    <main class="leaf">
      <Heading>{t("nowhere.title")}</Heading>
      <p>{t("nowhere.text")}</p>
    </main>
  );
}

/** The admin's page is read only when it is wanted. */
const AdminPage = lazy(
  () => import("./admin/admin"),
  (module) => module.Admin,
);
