import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SettingsError, variableOf } from '@mailstead/core/settings/read-settings';
import type { Config } from './config.js';

/**
 * The file that makes a data folder one of a demo. The database has a mark of its own (`DemoMark`), for a database file
 * that was copied elsewhere.
 */
const MARK = 'this-is-a-demo';
const SENTENCE = 'Everything in this folder was invented by a demo of Mailstead. Delete the folder to get rid of it.\n';

/** With these a demo would reach other machines, or write to a database that is not its own. */
const OUTSIDE = [
  'databaseUrl',
  'redisUrl',
  'notifyWebhookUrl',
  'notifyWebhookSecret',
  'notifySmtpUrl',
  'notifyEmailFrom',
  'notifyEmailTo',
] as const satisfies (keyof Config)[];

export const DEMO_REFUSAL = 'only npm run demo starts it';

/**
 * Prepares the data folder of a demo: a new or empty folder is marked, the folder of a demo is used again.
 *
 * @throws SettingsError with a setting that leads outside, or for a folder of something else. The folder is then as it
 * was.
 */
export function claimDemoFolder(config: Readonly<Config>): void {
  const problems = OUTSIDE.filter((name) => config[name] !== null).map(
    (name) => `${variableOf(name)}: a demo does not use it; start the demo without it`,
  );
  if (config.notifyAllowPrivate)
    problems.push('NOTIFY_ALLOW_PRIVATE: a demo does not use it; start the demo without it');
  if (config.relayProvider !== 'sandbox') problems.push('RELAY_PROVIDER: a demo uses the sandbox only');
  if (problems.length > 0) throw new SettingsError(problems);
  const folder = resolve(config.dataDir);
  if (isDemoFolder(folder)) return;
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new SettingsError([`DATA_DIR: ${folder} is not the folder of a demo; name a new one`]);
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, MARK), SENTENCE, { mode: 0o600 });
}

/** @throws SettingsError for the folder of a demo, which is as it was then */
export function refuseDemoFolder({ databaseUrl, dataDir }: Readonly<Config>): void {
  const folder = resolve(dataDir);
  if (databaseUrl !== null || !isDemoFolder(folder)) return;
  throw new SettingsError([`DATA_DIR: ${folder} is the folder of a demo, and ${DEMO_REFUSAL}; name another one`]);
}

function isDemoFolder(folder: string): boolean {
  return existsSync(join(folder, MARK));
}
