import type { Route } from '../route.js';

/** The groups of the reference, partners' routes first. */
export const TAGS = [
  { name: 'Caller', description: 'Who the token belongs to, its limits and what is used of them.' },
  { name: 'Keys', description: 'Keys that a partner makes with its own keys, for its programs and people.' },
  { name: 'Brand', description: "What a partner's customers see of it on the pages that links open." },
  {
    name: 'Sessions and links',
    description: 'Sessions of the portal, and links that let customers into it.',
  },
  { name: 'Domains', description: 'Mail domains of a partner: create, read, suspend and delete them.' },
  {
    name: 'DNS and verification',
    description: 'The DNS records to publish, and whether the relay has verified a domain.',
  },
  { name: 'Mailboxes', description: 'Mailboxes of a domain, their passwords and quotas.' },
  {
    name: 'Aliases',
    description:
      'Addresses and catch-alls that deliver to a mailbox or, when the operator allows it, to an outside address.',
  },
  { name: 'Undo', description: 'Deleted domains and mailboxes that can be restored or erased.' },
  { name: 'Outbound mail', description: 'Limits, counters and history of the mail that a domain sends.' },
  { name: 'Messages', description: 'What became of each message and recipient in the last days.' },
  { name: 'Events', description: 'What happened to the resources of a partner, as a list and as a stream to follow.' },
  { name: 'Plans', description: 'The plans, which set retention, transfer cap and quota together.' },
  { name: 'Usage', description: 'What each domain used in a month or on a day, for invoices.' },
  { name: 'Operators: API keys', description: 'Keys of partners, their limits and their usage.' },
  { name: 'Operators: partners', description: 'Partners with the number of their resources.' },
  {
    name: 'Operators: domains',
    description:
      'Settings of a domain that only operators make: plan, retention, transfer cap, parent, partner, inbound.',
  },
  {
    name: 'Operators: outbound mail',
    description: 'Counting of messages by the mail servers, tiers and resets of the counters.',
  },
  { name: 'Operators: audit and jobs', description: 'Who changed what; schedules, their runs and failed jobs.' },
  { name: 'Service', description: 'Health, metrics, this document, and the webhook of the relay provider.' },
] as const;

type TagName = (typeof TAGS)[number]['name'];

/** The first pattern that matches `<access> <path>` decides. */
const RULES: readonly [RegExp, TagName][] = [
  [/^(public|any|client) .*\/(sessions|portal-links)/, 'Sessions and links'],
  [/^public /, 'Service'],
  [/\/me\/keys/, 'Keys'],
  [/\/me\/brand/, 'Brand'],
  [/\/api-keys/, 'Operators: API keys'],
  [/^client .*\/usage/, 'Usage'],
  [/\/partners/, 'Operators: partners'],
  [/\/(audit|jobs|relay$)/, 'Operators: audit and jobs'],
  [/^master .*\/(outbound|transfer\/increments|mail-queue|relay\/suppressions)/, 'Operators: outbound mail'],
  [/^master .*\/domains/, 'Operators: domains'],
  [/\/messages/, 'Messages'],
  [/\/(outbound|bounces|suppressions)/, 'Outbound mail'],
  [/\/(events|webhook-endpoints)/, 'Events'],
  [/\/plans/, 'Plans'],
  [/\/deleted/, 'Undo'],
  [/\/(relay-status|dns-check|front-hosts)/, 'DNS and verification'],
  [/\/domains/, 'Domains'],
  [/\/(users|mail-settings)/, 'Mailboxes'],
  [/\/aliases/, 'Aliases'],
];

export function tagOf({ access, path }: Route): TagName {
  return RULES.find(([pattern]) => pattern.test(`${access} ${path}`))?.[1] ?? 'Caller';
}
