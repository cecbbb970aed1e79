import { randomBytes } from 'node:crypto';
import { accessSync, constants, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { reasonOf } from '@mailstead/core/errors';
import { SettingsError } from '@mailstead/core/settings/read-settings';
import { type Config } from './config.js';
import { makePrivate } from './private-files.js';
import { isStrongSecret } from './secret-problems.js';

const [MASTER_TOKEN_FILE, SECRET_KEY_FILE] = ['master-token', 'secret-key'] as const;

/** The names of the files with the generated secrets, in the data folder. */
export const EMBEDDED_SECRETS = [MASTER_TOKEN_FILE, SECRET_KEY_FILE] as const;

/** @returns the path of the file with the generated master token */
export function masterTokenFile(dataDir: string): string {
  return join(resolve(dataDir), MASTER_TOKEN_FILE);
}

/**
 * Prepares the embedded mode: creates the data folder (mode 0700), and generates the master token and the secret key
 * when they are not set. Generated values are stored in files (mode 0600) and read at later starts. Two processes that
 * start at the same time get the same values. When `DATABASE_URL` is set, this function does nothing.
 *
 * @throws SettingsError when the folder cannot be written, or a stored secret is too short
 */
export function withEmbeddedSecrets(config: Readonly<Config>): Readonly<Config> {
  if (config.databaseUrl !== null) return config;
  const dataDir = resolve(config.dataDir);
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    const masterToken = config.masterToken === '' ? storedSecret(masterTokenFile(dataDir)) : config.masterToken;
    const secretKey = config.secretKey === '' ? storedSecret(join(dataDir, SECRET_KEY_FILE)) : config.secretKey;
    return Object.freeze({ ...config, dataDir, masterToken, secretKey });
  } catch (error) {
    if (error instanceof SettingsError) throw error;
    throw new SettingsError([
      `DATA_DIR: cannot be used (${refusalOf(error)}): ${dataDir}; it must be a writable folder with free space`,
    ]);
  }
}

function storedSecret(path: string): string {
  makePrivate(path);
  const stored = readIfThere(path);
  if (stored !== null) {
    if (isStrongSecret(stored)) return stored;
    throw new SettingsError([
      `DATA_DIR: the secret in ${path} must have at least 32 characters, 8 of them different; delete the file to get a new one`,
    ]);
  }
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    writeFileSync(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true });
    // `link` fails when the file exists. So the value of the first process is kept, and both processes read this value.
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
