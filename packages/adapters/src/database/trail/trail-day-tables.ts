import type { DaySpan } from '@mailstead/core/trail/trail-store';
import { TRAIL_INDEXES, type TrailPart, TrailTables } from './trail-tables.js';

const PREFIX = 'trail_day_';
const TABLES = `SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB '${PREFIX}[0-9]*'`;

/**
 * A table for each day on SQLite, `trail_day_20601`. They are made when they are needed, not by a migration. A release
 * with other columns gives them another prefix, and drops those with this one.
 */
const COLUMNS = [
  '"day" integer NOT NULL',
  '"id" varchar(33) NOT NULL',
  '"row_key" varchar(22) NOT NULL',
  '"at" integer NOT NULL',
  '"last_at" integer NOT NULL',
  '"direction" varchar(3) NOT NULL',
  '"partner_id" integer NOT NULL',
  '"domain_id" integer NOT NULL',
  '"domain" varchar(253) NOT NULL',
  '"mailbox" varchar(320) NOT NULL',
  '"sender" varchar(320) NOT NULL',
  '"recipient" varchar(320) NOT NULL',
  '"size" integer',
  '"state" varchar(12) NOT NULL',
  '"state_at" integer NOT NULL',
  '"reason" varchar(64)',
  '"message_id" varchar(250)',
  '"relay_id" varchar(100)',
  '"times" integer NOT NULL',
  '"steps" text NOT NULL',
  'PRIMARY KEY ("day", "id")',
];

export class TrailDayTables extends TrailTables {
  override async daysOf({ first, last }: DaySpan): Promise<TrailPart[]> {
    const days = (await this.days()).filter((day) => day >= first && day <= last);
    return days
      .toSorted((one, other) => other - one)
      .map((day) => ({
        first: day,
        last: day,
        table: tableOf(day),
        by: (index) => this.database.dialect.byIndex(indexOf(day, index)),
      }));
  }

  override togetherOf(days: DaySpan): Promise<TrailPart[]> {
    return this.daysOf(days);
  }

  override async forWriting(day: number): Promise<string> {
    const table = tableOf(day);
    if ((await this.days()).includes(day)) return table;
    await this.database.write(`CREATE TABLE IF NOT EXISTS "${table}" (${COLUMNS.join(', ')})`);
    for (const [index, columns] of Object.entries(TRAIL_INDEXES)) {
      await this.database.write(
        `CREATE INDEX IF NOT EXISTS "${indexOf(day, index)}" ON "${table}" (${columns.join(', ')})`,
      );
    }
    return table;
  }

  override async keep({ first }: DaySpan): Promise<number> {
    const old = (await this.days()).filter((day) => day < first);
    for (const day of old) await this.database.write(`DROP TABLE IF EXISTS "${tableOf(day)}"`);
    return old.length;
  }

  private async days(): Promise<number[]> {
    const rows = await this.database.read(TABLES);
    return rows.map(({ name }) => Number(String(name).slice(PREFIX.length)));
  }
}

function tableOf(day: number): string {
  return `${PREFIX}${day}`;
}

function indexOf(day: number, index: string): string {
  return `ix_trail_${day}_${index}`;
}
