import { Clock, type DatabaseClock } from '../clock.js';

/** A clock of a process and of its database, which changes only when a test sets it. */
export class FixedClock extends Clock implements DatabaseClock {
  constructor(private instant = new Date('2026-03-15T12:00:00.000Z')) {
    super();
  }

  now(): Date {
    return new Date(this.instant);
  }

  async time(): Promise<Date> {
    return this.now();
  }

  set(instant: Date): void {
    this.instant = instant;
  }

  advance(ms: number): void {
    this.instant = new Date(this.instant.getTime() + ms);
  }
}
