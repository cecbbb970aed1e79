import type { DaySpan } from '@mailstead/core/trail/trail-store';
import type { Database, Parameter } from '../driver/database.js';

/** A table, or some of its partitions, with the rows of some days. */
export interface TrailPart extends DaySpan {
  table: string;
  /** After the name of the table: forces an index. */
  by(index: TrailIndex): string;
}

export const TRAIL_INDEXES = {
  key: ['row_key'],
  domain: ['domain', 'id'],
  mailbox: ['mailbox', 'id'],
  recipient: ['recipient', 'partner_id', 'id'],
  message: ['message_id', 'partner_id', 'id'],
  partner: ['partner_id', 'id'],
  relay: ['relay_id'],
} as const satisfies Record<string, readonly string[]>;
export type TrailIndex = keyof typeof TRAIL_INDEXES;

/** Where the rows of a day are. */
export abstract class TrailTables {
  constructor(protected readonly database: Database) {}

  /** The parts with rows of these days, the newest day first, each day a part of its own. */
  abstract daysOf(days: DaySpan): Promise<TrailPart[]>;
  /** The fewest parts with the rows of these days. */
  abstract togetherOf(days: DaySpan): Promise<TrailPart[]>;
  /** The table for new rows of a day. In the unit of work of these rows. */
  abstract forWriting(day: number): Promise<string>;
  /** @returns the number of dropped days */
  abstract keep(days: DaySpan): Promise<number>;
}

/** The condition for the days of a part. One day is compared with `=`, so that the key is read in the order of ids. */
export function daysIn({ first, last }: DaySpan): { sql: string; parameters: Parameter[] } {
  if (first === last) return { sql: 'day = ?', parameters: [first] };
  return { sql: 'day >= ? AND day <= ?', parameters: [first, last] };
}
