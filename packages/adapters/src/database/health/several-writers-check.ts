import { HealthCheck } from '@mailstead/core/health-check';
import { needs } from '@mailstead/core/needs';
import { DatabaseWriters } from './database-writers.js';

/** Fails while processes write to several nodes of a Galera cluster. */
@needs(DatabaseWriters)
export class SeveralWritersCheck extends HealthCheck {
  override readonly name = 'several_database_writers';

  constructor(private readonly writers: DatabaseWriters) {
    super();
  }

  override async problem(): Promise<string | null> {
    try {
      const nodes = await this.writers.several();
      if (nodes.length === 0) return null;
      const names = nodes.map(({ name }) => name).join(', ');
      return `Several Galera nodes are written to (${names}), which loses acknowledged changes; send all connections to one node (docs/scaling.md)`;
    } catch {
      // `DatabaseCheck` reports a database that does not respond.
      return null;
    }
  }
}
