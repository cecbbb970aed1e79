/** Formats a time as in all responses: UTC with milliseconds and without a zone suffix. */
export function timestamp(at: Date): string {
  return at.toISOString().slice(0, -1);
}

export function timestampOrNull(at: Date | null): string | null {
  return at === null ? null : timestamp(at);
}
