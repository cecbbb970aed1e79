import type { MigrationInterface, QueryRunner } from 'typeorm';

export type MigrationClass = new () => MigrationInterface;

/** What a step is called, and its one statement. */
export type Statement = [name: string, sql: string];

/**
 * Makes one migration of every statement. MariaDB commits each DDL statement by itself, so a run that fails leaves all
 * earlier steps recorded and the failed one undone: a known state, from which the next start goes on.
 *
 * @param firstMillisecond orders the steps: TypeORM sorts migrations by the 13 digits at the end of their names.
 */
export function steps(statements: Statement[], firstMillisecond: number): MigrationClass[] {
  return statements.map(([name, sql], index) => step(`${name}${firstMillisecond + index}`, sql));
}

function step(name: string, sql: string): MigrationClass {
  return class implements MigrationInterface {
    readonly name = name;

    async up(runner: QueryRunner): Promise<void> {
      await runner.query(sql);
    }

    async down(): Promise<void> {
      throw new Error('Migrations only go forward; restore a backup to go back');
    }
  };
}
