/** Why a request failed, in words. */
import { t } from "../texts";
export const reason = (error: unknown): string =>
  error instanceof Error && error.message ? error.message : t("studio.unanswered");
