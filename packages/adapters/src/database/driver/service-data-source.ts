import { DataSource, type DataSourceOptions, type EntityMetadata } from 'typeorm';
import { steps } from '../migrations/migrations.js';
import { migrationOf } from '../migrations/step.js';
import { schemas } from '../schemas.js';
import type { Dialect } from './dialect.js';

/** The metadata of all entities, which the first data source of a dialect has built. */
const BUILT = new Map<Dialect, EntityMetadata[]>();

/**
 * A data source with all entities and migrations. TypeORM needs some 30 ms of processor time to build the metadata of
 * the entities. It depends only on the schemas and the dialect, so that all databases that a process opens share it:
 * a test run opens hundreds.
 */
export class ServiceDataSource extends DataSource {
  constructor(
    private readonly dialect: Dialect,
    options: DataSourceOptions,
  ) {
    super({
      ...options,
      entities: BUILT.has(dialect) ? [] : schemas(dialect),
      migrations: steps(dialect).map(migrationOf),
      migrationsTableName: 'migration',
      logging: false,
    });
  }

  protected override async buildMetadatas(): Promise<void> {
    await super.buildMetadatas();
    if (this.entityMetadatas.length > 0) BUILT.set(this.dialect, this.entityMetadatas);
    const entityMetadatas = BUILT.get(this.dialect) ?? [];
    const entityMetadatasMap = new Map(entityMetadatas.map((metadata) => [metadata.target, metadata]));
    Object.assign(this, { entityMetadatas, entityMetadatasMap });
  }
}
