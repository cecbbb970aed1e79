import type { SesEmulator } from './ses-emulator.js';
import { TOPIC_ARN } from './topic-arn.js';

/** Returns the settings of a process that uses the SES emulator as its relay. */
export function sesSettings(emulator: SesEmulator): Record<string, string> {
  return {
    RELAY_PROVIDER: 'ses',
    SES_ENDPOINT: emulator.url,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
    AWS_SECRET_ACCESS_KEY: 'secret',
    SNS_TOPIC_ARNS: TOPIC_ARN,
    SES_CONFIGURATION_SET: 'mailstead',
  };
}
