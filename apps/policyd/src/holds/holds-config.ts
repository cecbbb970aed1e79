import { type Environment, readSettings } from '@mailstead/core/settings/read-settings';
import { ApiUrl, Choice, Text } from '@mailstead/core/settings/rules';

/** All settings of the program that holds mail. */
export class HoldsConfig {
  @ApiUrl() mailsteadUrl = '';

  @Text(/^[A-Za-z0-9._~+=-]{16,255}$/, 'must be an operator token of scope policy') policyToken = '';

  /** The configuration of the Postfix instance that receives mail on port 25. */
  @Text(/^\//, 'must be an absolute path') postfixMx = '/etc/postfix';

  /** The configuration of the instance of submission; null without one. */
  @Text(/^\//, 'must be an absolute path') postfixSubmission: string | null = null;

  /** Gets the time at the end of each whole pass, for the doctor; null: nothing is written. */
  @Text(/^\//, 'must be an absolute path') holdsStamp: string | null = null;

  @Choice('error', 'warn', 'info', 'debug') logLevel = 'info';
}

/** @throws SettingsError that lists every invalid variable. */
export function readHoldsConfig(environment: Environment = process.env): Readonly<HoldsConfig> {
  return readSettings(HoldsConfig, environment);
}
