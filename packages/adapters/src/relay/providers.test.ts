import { SilentMeters } from '@mailstead/core/meters';
import { RestoreGate } from '@mailstead/core/recovery/restore-gate';
import { UnsignedWebhook } from '@mailstead/core/relay-events/relay-webhook';
import { SettingsError } from '@mailstead/core/settings/read-settings';
import { FixedClock } from '@mailstead/core/testing/fixed-clock';
import { Config, readConfig } from '../config.js';
import { SandboxRelayProvider } from '../sandbox-relay/sandbox-relay-provider.js';
import { SandboxWebhook } from '../sandbox-relay/sandbox-webhook.js';
import { SES_RATE_RULES } from '../ses/ses-rate-rules.js';
import { SesRelayProvider } from '../ses/ses-relay-provider.js';
import { SnsWebhook } from '../ses/sns-webhook.js';
import { CertificateInMemory } from '../ses/testing/certificate-in-memory.js';
import { PROVIDER_SETTINGS, RELAY_PROVIDERS, type RelayProviderName } from './provider-settings.js';
import { createRelayProvider, createRelayWebhook } from './providers.js';
import type { RateRules } from './rate-limiter.js';
import { UnlimitedRate } from './testing/unlimited-rate.js';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const ENVIRONMENTS: Record<RelayProviderName, Record<string, string>> = {
  sandbox: {},
  ses: {
    SNS_TOPIC_ARNS: 'arn:aws:sns:eu-central-1:123456789012:ses-events',
    AWS_REGION: 'eu-central-1',
    SES_CONFIGURATION_SET: 'mailstead',
  },
};

function configOf(name: string, environment: Record<string, string>): Readonly<Config> {
  return readConfig({ MASTER_TOKEN: 'master-token-of-the-tests-0123456789', RELAY_PROVIDER: name, ...environment });
}

describe('the relay provider that RELAY_PROVIDER names', () => {
  const limits: RateRules[] = [];
  const parts = {
    installationId: async () => 'inst-1',
    share: 'background',
    createRateLimiter: (rules: RateRules) => {
      limits.push(rules);
      return new UnlimitedRate();
    },
    clock: new FixedClock(),
    meters: new SilentMeters(),
    gate: new RestoreGate(),
    certificates: new CertificateInMemory(),
  } as const;

  beforeEach(() => {
    limits.length = 0;
  });

  test('is the sandbox, which has no rate, and a webhook only with a secret', () => {
    const config = configOf('sandbox', {});
    expect(createRelayProvider(config, parts)).toBeInstanceOf(SandboxRelayProvider);
    expect(limits).toEqual([]);
    expect(createRelayWebhook(config, parts)).toBeInstanceOf(UnsignedWebhook);
    const withSecret = configOf('sandbox', { RELAY_WEBHOOK_SECRET: SECRET });
    expect(createRelayWebhook(withSecret, parts)).toBeInstanceOf(SandboxWebhook);
  });

  test('is SES, whose rules the rate limiter gets, and which accepts no event with the secret of the sandbox', () => {
    const config = configOf('ses', { ...ENVIRONMENTS.ses, RELAY_WEBHOOK_SECRET: SECRET });
    expect(createRelayProvider(config, parts)).toBeInstanceOf(SesRelayProvider);
    expect(limits).toEqual([SES_RATE_RULES]);
    expect(createRelayWebhook(config, parts)).toBeInstanceOf(SnsWebhook);
  });

  test.each(RELAY_PROVIDERS)('%s starts with its required settings, and not when one of them is missing', (name) => {
    const complete = ENVIRONMENTS[name];
    expect(createRelayProvider(configOf(name, complete), parts)).toBeDefined();
    expect(Object.keys(complete)).toHaveLength(PROVIDER_SETTINGS[name].length);
    for (const variable of Object.keys(complete)) {
      for (const value of ['', ' , ']) {
        const start = () => configOf(name, { ...complete, [variable]: value });
        expect(start).toThrow(`${variable}: is required with RELAY_PROVIDER=${name}`);
      }
    }
  });

  test('is not created from settings without the required ones', () => {
    const config = Object.assign(new Config(), { relayProvider: 'ses' });
    expect(() => createRelayProvider(config, parts)).toThrow(SettingsError);
    expect(() => createRelayWebhook(config, parts)).toThrow('SNS_TOPIC_ARNS: is required with RELAY_PROVIDER=ses');
  });

  test('must be known: another name is refused with a list of the known ones', () => {
    for (const name of ['mailgun', 'SES', 'constructor']) {
      expect(() => configOf(name, ENVIRONMENTS.ses)).toThrow('RELAY_PROVIDER: must be sandbox or ses');
    }
  });
});
