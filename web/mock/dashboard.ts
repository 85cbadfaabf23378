/** What the scripted server tells the admin: taken from a study played by hand. */

import study from "./study.json";

export const dashboard = { ...study.dashboard, languages: ["en"], role: "owner" };
export const transcript = study.log;
