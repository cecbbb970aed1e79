import { EVENT_TYPES, eventText } from '../../parts/event-text.js';

const NOUNS = [
  { noun: 'domain', name: 'Domain', all: 'All about domains' },
  { noun: 'mailbox', name: 'Mailbox', all: 'All about mailboxes' },
  { noun: 'alias', name: 'Alias', all: 'All about aliases' },
  { noun: 'message', name: 'Mailbox', all: 'All about messages' },
  { noun: 'suppression', name: 'Suppressed address', all: 'All about suppressions' },
  { noun: 'webhook', name: 'Webhook', all: 'All about webhooks' },
  { noun: 'key', name: 'Key', all: 'All about keys' },
  { noun: 'link', name: 'Link', all: 'All about links' },
  { noun: 'partner', name: 'Partner', all: 'All about the partner' },
  { noun: 'job', name: 'Job', all: 'All about jobs' },
];

/** What the events can be narrowed to: all with the same first word, or one type. */
export function eventFilters() {
  return NOUNS.map(({ noun, name, all }) => ({
    group: all,
    items: [
      { value: noun, label: all },
      ...typesOf(noun).map((type) => ({ value: type, label: `${name} ${eventText(type)}` })),
    ],
  }));
}

/** Returns `types` of the API. What is no type of this page may be one of the service. */
export function typesParameter(type: string): string {
  const types = typesOf(type);
  return types.length > 0 ? types.join(',') : type;
}

function typesOf(noun: string) {
  return EVENT_TYPES.filter((type) => type.startsWith(`${noun}.`));
}
