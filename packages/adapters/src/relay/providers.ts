import type { Clock } from '@mailstead/core/clock';
import { deadline } from '@mailstead/core/deadlines';
import type { Meters } from '@mailstead/core/meters';
import type { RestoreGate } from '@mailstead/core/recovery/restore-gate';
import type { RelayProvider } from '@mailstead/core/relay/relay-provider';
import { type RelayWebhook, UnsignedWebhook } from '@mailstead/core/relay-events/relay-webhook';
import { SettingsError } from '@mailstead/core/settings/read-settings';
import { type Config } from '../config.js';
import { listOf } from '../config-lists.js';
import { relayProblems } from '../config-problems.js';
import { SandboxRelayProvider } from '../sandbox-relay/sandbox-relay-provider.js';
import { SandboxWebhook } from '../sandbox-relay/sandbox-webhook.js';
import { type CertificateStore, HttpsCertificateSource } from '../ses/certificate-source.js';
import { SES_RATE_RULES } from '../ses/ses-rate-rules.js';
import { SesRelayProvider } from '../ses/ses-relay-provider.js';
import { SnsWebhook } from '../ses/sns-webhook.js';
import { hasSettings, type RelayProviderName, type SettingsOf } from './provider-settings.js';
import type { RateLimiter, RateRules, RateShare } from './rate-limiter.js';

/** The time limit of one call to a provider. */

/** The parts of the process that a provider needs, in addition to the settings. */
export interface RelayParts {
  /** Reads what marks the identities of this installation, because others may use the same account at the provider. */
  installationId: () => Promise<string>;
  /** The share of the provider's rate that this process uses. */
  share: RateShare;
  /** Creates the limiter of calls to the provider. All processes of the installation share one rate. */
  createRateLimiter: (rules: RateRules) => RateLimiter;
  clock: Clock;
  meters: Meters;
}

/** The parts of the process that a provider's webhook needs. */
export interface WebhookParts {
  clock: Clock;
  gate: Pick<RestoreGate, 'refuse'>;
  certificates: CertificateStore;
}

interface ProviderMaker<Name extends RelayProviderName> {
  createProvider(config: SettingsOf<Name>, parts: RelayParts): RelayProvider;
  /** @returns `UnsignedWebhook` when the secret that verifies events is not set */
  createWebhook(config: SettingsOf<Name>, parts: WebhookParts): RelayWebhook;
}

/** An entry for every provider of `PROVIDER_SETTINGS`. A missing entry does not compile. */
const PROVIDERS: { [Name in RelayProviderName]: ProviderMaker<Name> } = {
  sandbox: {
    createProvider: ({ sandboxVerifyAfter }, { clock }) =>
      new SandboxRelayProvider({ verifyAfterSeconds: sandboxVerifyAfter }, clock),
    createWebhook: ({ relayWebhookSecret }, { clock }) =>
      relayWebhookSecret === null ? new UnsignedWebhook() : new SandboxWebhook({ secret: relayWebhookSecret }, clock),
  },
  ses: {
    createProvider: (config, { installationId, share, createRateLimiter, meters }) =>
      new SesRelayProvider(
        {
          region: config.awsRegion,
          endpoint: config.sesEndpoint ?? undefined,
          timeoutMs: deadline('relayCall'),
          installationId,
          share,
          configurationSet: config.sesConfigurationSet,
          tenantPolicy: config.sesTenants ? config.sesTenantPolicy : null,
        },
        createRateLimiter(SES_RATE_RULES),
        meters,
      ),
    createWebhook: ({ snsTopicArns }, { clock, gate, certificates }) =>
      new SnsWebhook({ topicArns: listOf(snsTopicArns) }, new HttpsCertificateSource(certificates, clock), clock, gate),
  },
};

/**
 * Creates the provider that `RELAY_PROVIDER` names. @throws SettingsError when a setting that it requires is missing
 */
export function createRelayProvider(config: Readonly<Config>, parts: RelayParts): RelayProvider {
  return makerOf(config.relayProvider).createProvider(settingsOf(config, config.relayProvider), parts);
}

/** Creates the webhook of that provider. @throws SettingsError when a setting that the provider requires is missing */
export function createRelayWebhook(config: Readonly<Config>, parts: WebhookParts): RelayWebhook {
  return makerOf(config.relayProvider).createWebhook(settingsOf(config, config.relayProvider), parts);
}

function makerOf<Name extends RelayProviderName>(name: Name): ProviderMaker<Name> {
  return PROVIDERS[name];
}

function settingsOf<Name extends RelayProviderName>(config: Readonly<Config>, name: Name): SettingsOf<Name> {
  if (hasSettings(config, name)) return config;
  throw new SettingsError(relayProblems(config));
}
