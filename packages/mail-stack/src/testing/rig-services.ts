import { randomBytes } from 'node:crypto';
import { createConnection } from 'mysql2/promise';
import { type ServiceHandle, startServices } from '../../../../scripts/services.mjs';
import { PATIENCE_MS } from '../../../../scripts/test-timeout.mjs';
import { RigDatabase } from './rig-database.js';

/** The database and the Redis of one rig. */
export interface RigServices {
  database: RigDatabase;
  redisUrl: string;
  redis: ServiceHandle;
  /** The rig's own database server, which a test may kill; null on the shared server. */
  mariadb: ServiceHandle | null;
  /** Drops the database and these users, and stops the rig's servers. */
  stop(users: readonly string[]): Promise<void>;
}

/**
 * Starts a separate Redis, because queue names are fixed, and creates an empty database: on the server of
 * `MAILSTEAD_TEST_MARIADB_URL`, or on a separate server with `ownDatabase` or without that variable.
 */
export async function startRigServices(ownDatabase: boolean): Promise<RigServices> {
  const shared = process.env.MAILSTEAD_TEST_MARIADB_URL;
  if (ownDatabase || shared === undefined) {
    const services = await startServices({ mariadb: true, redis: true });
    const database = new RigDatabase(services.mariadbUrl, services.mariadbSocket);
    const { redis, redisUrl, mariadb } = services;
    const stop = async (): Promise<void> => {
      await database.close();
      await services.stop();
    };
    return { database, redis, redisUrl, mariadb, stop };
  }
  const services = await startServices({ redis: true });
  const database = await onServer(shared);
  const { redis, redisUrl } = services;
  const stop = async (users: readonly string[]): Promise<void> => {
    await database.query(
      [`DROP DATABASE ${database.name}`, ...users.map((user) => `DROP USER IF EXISTS ${user}`)].join(';'),
    );
    await database.close();
    await services.stop();
  };
  return { database, redis, redisUrl, mariadb: null, stop };
}

async function onServer(serverUrl: string): Promise<RigDatabase> {
  const url = new URL(serverUrl);
  const name = `mail_rig_${randomBytes(6).toString('hex')}`;
  const admin = await createConnection({ uri: serverUrl, connectTimeout: PATIENCE_MS });
  await admin.query(`CREATE DATABASE ${name}`);
  await admin.end();
  url.pathname = `/${name}`;
  return new RigDatabase(url.href, process.env.MAILSTEAD_TEST_MARIADB_SOCKET ?? null);
}
