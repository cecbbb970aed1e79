import { Clock } from '../clock.js';

/** A clock that changes only when a test sets it. */
export class FixedClock extends Clock {
  constructor(private instant = new Date('2026-03-15T12:00:00.000Z')) {
    super();
  }

  now(): Date {
    return new Date(this.instant);
  }

  set(instant: Date): void {
    this.instant = instant;
  }

  advance(ms: number): void {
    this.instant = new Date(this.instant.getTime() + ms);
  }
}
