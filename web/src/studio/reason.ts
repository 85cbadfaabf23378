/** Why a request failed, in words. */
export const reason = (error: unknown): string =>
  error instanceof Error && error.message ? error.message : "The studio's server does not answer.";
