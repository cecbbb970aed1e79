import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { PATIENCE_MS } from '../../../../../scripts/test-timeout.mjs';
import type { Database } from '../driver/database.js';
import { sessionOf } from '../driver/mysql-settings.js';
import { openInstalled } from './installed-database.js';

export const DATABASE_KINDS = ['sqlite', 'mariadb'] as const;
export type DatabaseKind = (typeof DATABASE_KINDS)[number];

export interface TestDatabase {
  database: Database;
  /** Null for SQLite. */
  url: string | null;
  dataDir: string;
  close(): Promise<void>;
}

/** An empty folder for a test and, on MariaDB, an empty database. */
export interface TestLocation {
  url: string | null;
  dataDir: string;
  remove: () => Promise<void>;
}

/** Runs a suite on both databases: the contract of a port, a race, a statement. */
export function onEachDatabase(suite: (kind: DatabaseKind) => void): void {
  describe.each(DATABASE_KINDS)('on %s', suite);
}

/**
 * Runs a suite on one database, because what HTTP adds to the repositories does not depend on it: on SQLite, or on the
 * one that MAILSTEAD_TEST_HTTP_DATABASE names (`npm test -- --mariadb`).
 */
export function onHttpDatabase(suite: (kind: DatabaseKind) => void): void {
  const named = DATABASE_KINDS.find((kind) => kind === process.env.MAILSTEAD_TEST_HTTP_DATABASE);
  describe.each([named ?? 'sqlite'] as const)('on %s', suite);
}

export async function makeTestLocation(kind: DatabaseKind): Promise<TestLocation> {
  const dataDir = await mkdtemp(join(tmpdir(), 'mailstead-test-'));
  if (kind === 'sqlite') return { url: null, dataDir, remove: () => rm(dataDir, { recursive: true, force: true }) };
  const base = new URL(serverUrl());
  const name = `ms_${randomBytes(6).toString('hex')}`;
  await onServer(base, `CREATE DATABASE ${name}`);
  base.pathname = `/${name}`;
  return {
    url: base.toString(),
    dataDir,
    remove: async () => {
      await onServer(base, `DROP DATABASE IF EXISTS ${name}`);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Creates a migrated database for one test suite. */
export async function openTestDatabase(kind: DatabaseKind): Promise<TestDatabase> {
  const location = await makeTestLocation(kind);
  const database = await openInstalled(kind, location);
  return {
    database,
    url: location.url,
    dataDir: location.dataDir,
    close: async () => {
      await database.close();
      await location.remove();
    },
  };
}

/** @throws Error that explains how to start a server, when the variable is not set */
function serverUrl(): string {
  const url = process.env.MAILSTEAD_TEST_MARIADB_URL;
  if (url === undefined) {
    throw new Error(
      'MAILSTEAD_TEST_MARIADB_URL is not set: run the tests by `npm test`, or by `node scripts/services.mjs -- <command>`',
    );
  }
  return url;
}

async function onServer(url: URL, sql: string): Promise<void> {
  const connection = await createConnection({
    host: url.hostname,
    port: Number(url.port),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    connectTimeout: PATIENCE_MS,
  });
  await connection.query(sessionOf({ endsSilentTransactions: false }));
  await connection.query(sql);
  await connection.end();
}
