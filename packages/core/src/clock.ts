/** The only source of the current time, so that tests can set it. */
export abstract class Clock {
  abstract now(): Date;
}

/**
 * The time that all processes share: that of the database server, or on the embedded database that of this process.
 * What deletes by age, and what ends a day or a month, asks it, because the clock of a process may be wrong.
 */
export abstract class DatabaseClock {
  /** @throws AppError database_unavailable */
  abstract time(): Promise<Date>;
}

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The UTC time with milliseconds and without a zone suffix, as in all responses and notifications. */
export function zonelessTime(at: Date): string {
  return at.toISOString().slice(0, -1);
}

/** The UTC day as `YYYY-MM-DD`. */
export function utcDay(at: Date): string {
  return at.toISOString().slice(0, 10);
}

/** The UTC month as `YYYY-MM`. */
export function utcMonth(at: Date): string {
  return at.toISOString().slice(0, 7);
}
