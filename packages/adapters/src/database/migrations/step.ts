import type { MigrationInterface, QueryRunner } from 'typeorm';

export type MigrationClass = new () => MigrationInterface;

export type Statement = [name: string, sql: string];

/**
 * Creates one migration for each statement. MariaDB commits each DDL statement separately. So after a failure all
 * earlier steps are recorded, the failed step is not done, and the next start continues with it.
 *
 * @param firstMillisecond orders the steps: TypeORM sorts migrations by the 13 digits at the end of their names
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
