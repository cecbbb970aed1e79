/** A time as every answer shows it: UTC, milliseconds, no zone suffix. */
export function timestamp(at: Date): string {
  return at.toISOString().slice(0, -1);
}

export function timestampOrNull(at: Date | null): string | null {
  return at === null ? null : timestamp(at);
}
