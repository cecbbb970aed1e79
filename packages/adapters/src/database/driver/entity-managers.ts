import {
  type DataSource,
  EntityManager,
  type EntityTarget,
  type ObjectLiteral,
  type QueryRunner,
  SelectQueryBuilder,
} from 'typeorm';
import { adjustDriver } from './adjust-driver.js';
import type { Dialect } from './dialect.js';
import { type Statements, sessionQueryRunner } from './session-query-runner.js';

/** Creates the `EntityManager` of a database. Its statements run in the unit of work of the caller. */
export function entityManager(dataSource: DataSource, dialect: Dialect, statements: Statements): EntityManager {
  adjustDriver(dataSource, dialect);
  const runner = sessionQueryRunner(dataSource, statements);
  return dialect.hasOneWriter ? new SqliteEntityManager(dataSource, runner) : new EntityManager(dataSource, runner);
}

/**
 * For SQLite, where TypeORM refuses `setLock`. Only one unit of work runs at a time on SQLite, so a locking read needs
 * no clause. As on MySQL, a lock outside a unit of work throws.
 */
class SqliteEntityManager extends EntityManager {
  override createQueryBuilder<Entity extends ObjectLiteral>(
    target: EntityTarget<Entity>,
    alias: string,
    runner?: QueryRunner,
  ): SelectQueryBuilder<Entity>;
  override createQueryBuilder(runner?: QueryRunner): SelectQueryBuilder<ObjectLiteral>;
  override createQueryBuilder(target?: EntityTarget<ObjectLiteral> | QueryRunner, alias?: string) {
    const builder = new UnlockedSelect(this.dataSource, this.queryRunner);
    return alias === undefined ? builder : builder.select(alias).from(target as EntityTarget<ObjectLiteral>, alias);
  }
}

class UnlockedSelect<Entity extends ObjectLiteral> extends SelectQueryBuilder<Entity> {
  protected override createLockExpression(): string {
    return '';
  }
}
