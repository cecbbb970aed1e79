import { HealthCheck } from '@mailstead/core/health-check';
import { needs } from '@mailstead/core/needs';
import { Database } from '../driver/database.js';
import { tooNewFor } from '../installation/served-from.js';

/** Fails when a later release took something away from the schema that this process needs. */
@needs(Database)
export class SchemaCheck extends HealthCheck {
  override readonly name = 'schema';

  constructor(private readonly database: Database) {
    super();
  }

  override async problem(): Promise<string | null> {
    try {
      return await tooNewFor(this.database);
    } catch {
      // `DatabaseCheck` reports a database that does not respond.
      return null;
    }
  }
}
