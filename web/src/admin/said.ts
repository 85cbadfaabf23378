/** What the server said of what it did not do. */

import { Refusal } from "../api";
import { maybe } from "../texts";

export const said = (error: unknown): string =>
  error instanceof Refusal
    ? maybe(`admin.refused.${error.code}`, error.message || error.code)
    : String(error);
