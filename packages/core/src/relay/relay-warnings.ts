import { DAY_MS } from '../clock.js';
import type { PublishedEvents, RelayAccount } from './relay-provider.js';
import type { RelayState } from './relay-state.js';
import type { TenantProblems } from './tenants/tenants.js';

type RelayWarningName =
  | 'relay_events_not_published'
  | 'relay_never_heard'
  | 'relay_silent'
  | 'relay_sandbox'
  | 'relay_probation'
  | 'relay_shutdown'
  | 'relay_quota'
  | 'relay_suppression_shared'
  | 'relay_tenants';

export interface RelayWarning {
  name: RelayWarningName;
  /** A sentence without secrets: everybody can read the readiness of a process. */
  detail: string;
}

/** The events without which bounces and complaints are not counted, in the words of SES. */
const NEEDED_EVENTS = ['BOUNCE', 'COMPLAINT'];
const NEVER_HEARD_AFTER_MS = DAY_MS;
const SILENT_AFTER_MESSAGES = 10_000;
/** The used part of the sending quota of 24 hours from which the operator is warned. */
const HIGH_USE = 0.8;

/**
 * What is wrong with the account at the relay provider, and with the way of its events to us. Empty before the first
 * check, and for a provider without an account.
 *
 * @param topics those whose messages are accepted
 * @param problems null while no tenants are used
 */
export function relayWarnings(
  state: RelayState,
  topics: readonly string[],
  problems: TenantProblems | null,
  now: Date,
): RelayWarning[] {
  const { report } = state;
  if (report === null || report.account === null) return [];
  const warnings: RelayWarning[] = [];
  const warn: Warn = (name, holds, detail) => {
    if (holds) warnings.push({ name, detail });
  };
  const missing = missingEvents(report.configurationSet, topics);
  warn('relay_events_not_published', missing !== null, missing ?? '');
  warn('relay_never_heard', isNeverHeard(state, now), NEVER_HEARD);
  warn(
    'relay_silent',
    state.heardAt !== null && state.countedSinceHeard >= SILENT_AFTER_MESSAGES,
    `${state.countedSinceHeard} messages were counted since the last signed message of the relay provider; see whether the subscription of the topic still exists`,
  );
  warnOfAccount(report.account, warn);
  if (problems !== null) warnOfTenants(report.configurationSet, problems, warn);
  return warnings;
}

type Warn = (name: RelayWarningName, holds: boolean, detail: string) => void;

function warnOfTenants(set: PublishedEvents | null, { foreign, full, unavailable }: TenantProblems, warn: Warn): void {
  warn(
    'relay_suppression_shared',
    set?.ownSuppression === true,
    'The configuration set of SES_CONFIGURATION_SET has suppression options of its own, which override the list of every tenant: remove them from the set',
  );
  const causes = [
    ...(foreign > 0 ? [`${foreign} have a name that somebody else uses in the account`] : []),
    ...(full > 0 ? [`${full} are above the account's limit of tenants`] : []),
    ...(unavailable > 0 ? [`${unavailable} wait because the relay provider did not answer`] : []),
  ];
  warn(
    'relay_tenants',
    causes.length > 0,
    `Tenants of partners cannot be made, and their mail leaves without one: ${causes.join('; ')}`,
  );
}

const NEVER_HEARD =
  'Messages have been counted for more than 24 hours, and no signed message of the relay provider was ever accepted: no bounce is counted. Subscribe POST /webhooks/relay to the topic';

function warnOfAccount(account: RelayAccount, warn: Warn): void {
  const { productionAccess, sendingEnabled, enforcement, quota24h, sent24h } = account;
  warn(
    'relay_sandbox',
    !productionAccess,
    'The account at the relay provider has no production access: only verified recipients get mail',
  );
  warn(
    'relay_probation',
    enforcement === 'PROBATION',
    'The relay provider reviews the account and may stop its sending; see the reputation in its console',
  );
  warn(
    'relay_shutdown',
    enforcement === 'SHUTDOWN' || !sendingEnabled,
    'The relay provider has stopped the sending of the account: no mail leaves',
  );
  const used = quota24h > 0 ? sent24h / quota24h : 0;
  warn(
    'relay_quota',
    used >= HIGH_USE,
    `${Math.floor(used * 100)} % of the sending quota of 24 hours at the relay provider is used`,
  );
}

/** @returns what is missing, a sentence; null when bounces and complaints are published to one of the topics */
function missingEvents(set: PublishedEvents | null, topics: readonly string[]): string | null {
  if (set === null) {
    return 'The relay provider does not know the configuration set of SES_CONFIGURATION_SET: no bounce is published';
  }
  const published = set.destinations.filter(({ topic }) => topics.includes(topic)).flatMap(({ events }) => events);
  const missing = NEEDED_EVENTS.filter((event) => !published.includes(event));
  if (missing.length === 0) return null;
  return `The configuration set of SES_CONFIGURATION_SET has no enabled destination that publishes ${missing.join(' and ')} to a topic of SNS_TOPIC_ARNS`;
}

function isNeverHeard({ heardAt, firstCountedAt }: RelayState, now: Date): boolean {
  return heardAt === null && firstCountedAt !== null && now.getTime() > firstCountedAt.getTime() + NEVER_HEARD_AFTER_MS;
}
