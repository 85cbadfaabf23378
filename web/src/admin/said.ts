/** Words for what the server sends as names. */

import { Refusal } from "../api";
import type { Stage } from "../state";
import { maybe, spaced } from "../texts";

/** The server's reason for a refusal. */
export const said = (error: unknown): string =>
  error instanceof Refusal
    ? maybe(`admin.refused.${error.code}`, error.message || error.code)
    : String(error);

/** A place in a unit of work: "User", "Annotator". */
export const named = (role: string): string =>
  maybe(`chat.from.${role}`, maybe(`admin.role.${role}`, spaced(role)));

/** A stage in words: STAR's, or the study's own name of it. */
export const stageName = (stage: Stage): string => maybe(`stage.${stage}`, spaced(stage));
