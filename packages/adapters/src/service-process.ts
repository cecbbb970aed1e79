import type { Container } from 'inversify';
import { type Config, readConfig } from './config.js';
import { createContainer, resolve } from './container.js';
import type { Database } from './database/database.js';
import { readInstallationId } from './database/installation.js';
import { LastUsedStamps } from './database/last-used-stamps.js';
import { claimEmbeddedDatabase, migrate } from './database/migrate.js';
import { openDatabase } from './database/open-database.js';
import { withEmbeddedSecrets } from './embedded-secrets.js';
import { createLogger, type Logger } from './logger.js';

/** What every process of the service has: settings, a log, the wired adapters on an open database. */
export interface ServiceProcess {
  config: Readonly<Config>;
  logger: Logger;
  container: Container;
  database: Database;
  /** Writes what is pending and closes every connection. */
  close(): Promise<void>;
}

/**
 * Opens all that a process needs, in an order in which everything that can be wrong is found first.
 *
 * @throws Error with a message for the operator: a wrong setting, an unusable folder, a database that is away or in use,
 * a migration that failed.
 */
export async function openProcess(name: string): Promise<ServiceProcess> {
  const config = withEmbeddedSecrets(readConfig());
  const logger = createLogger(config.logLevel).child({ process: name });
  const claim = config.databaseUrl === null ? await claimEmbeddedDatabase(config.dataDir) : null;
  const database = await openMigrated(config, logger);
  const container = createContainer(config, { database, installationId: await readInstallationId(database) });
  return {
    config,
    logger,
    container,
    database,
    close: async () => {
      await resolve(container, LastUsedStamps).flush();
      await database.close();
      await claim?.release();
    },
  };
}

async function openMigrated(config: Readonly<Config>, logger: Logger): Promise<Database> {
  const database = await openDatabase({ url: config.databaseUrl, dataDir: config.dataDir, poolSize: config.databasePoolSize }).catch(
    (error: unknown) => {
      throw new Error(`The database cannot be opened: ${String(error)}`, { cause: error });
    },
  );
  const steps = await migrate(database);
  if (steps > 0) logger.info('migrated', { steps });
  return database;
}
