import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { DialectName } from '../driver/dialect.js';
import { SERVED_FROM } from '../installation/served-from.js';

export type MigrationClass = new () => MigrationInterface;

/** Writes what SQL cannot compute. It may be cut off, and run again after its statement. */
type Fill = (runner: QueryRunner) => Promise<void>;

export type Statement = [name: string, sql: string, fill?: Fill];

/** Statements of both databases that differ. */
export type Dialectal = Record<DialectName, readonly Statement[]>;

export interface Migration {
  /** Epoch milliseconds, later than every step before. The n-th statement has the number `at + n` in its name. */
  at: number;
  /** For the migrations of one database; otherwise both have it. */
  only?: DialectName;
  /**
   * For a migration that takes something away: the oldest release whose processes can live without it. It is stored
   * before the first statement, so that older processes stop being ready (`served-from.ts`).
   */
  servedFrom?: string;
  /** One release gave the numbers of the migration before to this one too. New migrations must not. */
  sharesNumbers?: true;
  statements: readonly (Statement | Dialectal)[];
}

/** One statement of a migration, under the name that installations store. */
export interface Step {
  /** Ends with the 13 digits by which TypeORM sorts migrations. */
  name: string;
  number: number;
  sql: string;
  /** What follows the statement, in the same transaction. */
  fill?: Fill | undefined;
}

/**
 * Makes one step for each statement. MariaDB commits each DDL statement separately. So after a failure all earlier
 * steps are recorded, the failed step is not done, and the next start continues with it.
 *
 * @returns the steps in the order in which TypeORM runs them
 * @throws Error when a number does not rise
 */
export function stepsOf(list: readonly Migration[], dialect: DialectName): Step[] {
  let last = 0;
  let first = 0;
  const steps = list.flatMap(({ at, only, sharesNumbers = false, servedFrom, statements }) => {
    if (sharesNumbers ? at !== first : at <= last) {
      throw new Error(`The migration ${at} must have a number above ${last}, the last one before it`);
    }
    const mark = servedFrom === undefined ? [] : [markOf(servedFrom)];
    const own = only === undefined || only === dialect ? [...mark, ...statements] : [];
    const rendered = own.flatMap((part) => ('mysql' in part ? part[dialect] : [part]));
    first = at;
    last = Math.max(last, at, at + rendered.length - 1);
    return rendered.map(([name, sql, fill], index) => ({
      name: `${name}${at + index}`,
      number: at + index,
      sql,
      fill,
    }));
  });
  return steps.sort((a, b) => a.number - b.number);
}

function markOf(release: string): Statement {
  return ['RaiseServedFrom', `UPDATE installation SET value = '${release}' WHERE name = '${SERVED_FROM}'`];
}

export function migrationOf({ name, sql, fill }: Step): MigrationClass {
  return class implements MigrationInterface {
    readonly name = name;

    async up(runner: QueryRunner): Promise<void> {
      await runner.query(sql);
      await fill?.(runner);
    }

    async down(): Promise<void> {
      throw new Error('Migrations only go forward; restore a backup to go back');
    }
  };
}
