import { randomBytes } from 'node:crypto';
import { accessSync, constants, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { reasonOf } from '@mailstead/core/errors';
import { type Config, ConfigError } from './config.js';

/** Where the generated master token is kept, for whoever may read the data folder. */
export function masterTokenFile(dataDir: string): string {
  return join(resolve(dataDir), 'master-token');
}

/**
 * Fills in what the embedded mode makes by itself: the data folder (mode 0700), a master token and a secret key (0600),
 * once. Two processes that start at the same time agree on the same values.
 *
 * @throws ConfigError when the folder cannot be written.
 */
export function withEmbeddedSecrets(config: Readonly<Config>): Readonly<Config> {
  if (config.databaseUrl !== null) return config;
  const dataDir = resolve(config.dataDir);
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    const masterToken = config.masterToken === '' ? keptSecret(masterTokenFile(dataDir)) : config.masterToken;
    const secretKey = config.secretKey === '' ? keptSecret(join(dataDir, 'secret-key')) : config.secretKey;
    return Object.freeze({ ...config, dataDir, masterToken, secretKey });
  } catch (error) {
    throw new ConfigError([
      `DATA_DIR: cannot be used (${refusalOf(error)}): ${dataDir}; it must be a writable folder with free space`,
    ]);
  }
}

function keptSecret(path: string): string {
  const kept = readIfThere(path);
  if (kept !== null) return kept;
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    writeFileSync(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true });
    // A link never replaces: the first process wins, and both read the same.
    linkSync(draft, path);
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(path, 'utf8').trim();
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null;
    throw error;
  }
}

function isCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}

function refusalOf(error: unknown): string {
  if (isCode(error, 'EROFS')) return 'the file system is read-only';
  if (isCode(error, 'EACCES') || isCode(error, 'EPERM')) return 'no permission to write';
  if (isCode(error, 'ENOSPC') || isCode(error, 'EDQUOT')) return 'the disk is full';
  return reasonOf(error);
}
