// @ts-check
import { createRequire } from 'node:module';

/** @type {typeof import('@jest/test-sequencer')} Its ES module has other exports than its types say. */
const { default: Sequencer } = createRequire(import.meta.url)('@jest/test-sequencer');

/** The files that take longest, without their ending. Jest knows how long a file took only after it ran here once. */
export const LONGEST = [
  'portal/src/screens',
  'portal/src/main-flow',
  'bullmq/queue-watch',
  'driver/silent-statements',
  'mail-delivery',
  'bullmq/queue-consumer',
  'driver/silent-connections',
  'demo/fill-demo',
  'migrations/migrate.test',
  'billing/src/billing',
  'usage/usage-months',
  'fuzz/fuzz',
  'http/crowds',
  'http/strangers',
  'outbound/partner-days',
  'domains/mail-views',
  'failure/wrong-clock',
  'whole/unusual-text',
  'access-page',
  'http/text-costs',
  'core/src/expressions',
  'whole/list-costs',
  'whole/list-positions',
  'portal/src/mail-state',
  'portal/src/dns-page',
  'recovery/killed',
  'mail-read-receipts',
  'mail-rspamd',
  'mail-suspended',
  'mail-full-mailbox',
  'mail-sessions',
  'mail-session-limits',
  'mail-ended-sessions',
  'mail-ended-submissions',
  'mail-webmail',
  'mail-outages-ended',
  'doctor/messages/examine-messages',
  'doctor/wiring/examine-wiring',
  'soak/soak',
  'failure/silent-connections',
  'failure/galera-start',
  'failure/redis-switch',
  'api-keys/key-chains',
  'releases/former-build',
  'recovery/rehearsal',
  'mail-local-parts',
  'mail-strange-input',
  'failure/full-disk',
  'usage/usage-month',
  'cluster/cluster',
  'failure/galera',
  'relay-isolation-random',
  'webhooks/relay-inbox',
  'events/event-followers',
  'whole/processes',
  'portal/src/keeping',
  'billing/src/careful',
  'failure/poisoned-inbox',
  'whmcs/commands',
  'portal/src/usage',
];

/** Starts the longest files first, so that none of them runs alone at the end. */
export default class LongestFirst extends Sequencer {
  /**
   * @override
   * @param {Parameters<import('@jest/test-sequencer').default['sort']>[0]} tests
   */
  async sort(tests) {
    const sorted = await super.sort(tests);
    return [...sorted].sort((left, right) => placeOf(left.path) - placeOf(right.path));
  }
}

/** @param {string} path */
function placeOf(path) {
  const place = LONGEST.findIndex((name) => path.includes(name));
  return place === -1 ? LONGEST.length : place;
}
