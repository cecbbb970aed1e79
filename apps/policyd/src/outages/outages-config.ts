import { type Environment, readSettings } from '@mailstead/core/settings/read-settings';
import { Choice, Text } from '@mailstead/core/settings/rules';

const PATH = /^\//;
const REASON = 'must be an absolute path';

/** All settings of the program that ends outages. */
export class OutagesConfig {
  /** The configuration of the Postfix instance that receives mail on port 25. Its map `up` is asked. */
  @Text(PATH, REASON) postfixMx = '/etc/postfix';

  /** The configuration of the instance of submission; null without one. */
  @Text(PATH, REASON) postfixSubmission: string | null = null;

  /** The folder with Dovecot's `dovecot.conf`. */
  @Text(PATH, REASON) dovecotConfig = '/etc/dovecot';

  /** Has the time of the last look, for the doctor, and whether a renewal is owed, for this program after a restart. */
  @Text(PATH, REASON) outagesState = '/run/mailstead-outages/state';

  @Choice('error', 'warn', 'info', 'debug') logLevel = 'info';
}

/** @throws SettingsError that lists every invalid variable. */
export function readOutagesConfig(environment: Environment = process.env): Readonly<OutagesConfig> {
  return readSettings(OutagesConfig, environment);
}
