import type { Event } from '../api/shapes.js';
import { suspensionCauses } from './suspension-causes.js';
import { namedInText } from './unicode-name.js';

/** What happened, in words. */
const TEXTS: Record<Event['type'], string> = {
  'domain.created': 'was added',
  'domain.updated': 'was changed',
  'domain.deleted': 'was deleted',
  'domain.restored': 'was restored',
  'domain.moved': 'was moved',
  'domain.suspended': 'was suspended',
  'domain.activated': 'was activated',
  'domain.verified': 'is verified',
  'domain.verification_failed': 'could not be verified',
  'domain.verification_lost': 'is no longer verified',
  'domain.verification_at_risk': 'will lose its verification: DNS records are missing',
  'domain.outbound_blocked': 'may no longer send',
  'domain.outbound_unblocked': 'may send again',
  'domain.limit_reached': 'reached a limit',
  'domain.retention_lowered': 'keeps mail for a shorter time',
  'domain.expiring': 'will be removed soon, because it was never verified',
  'domain.expired': 'was removed, because it was never verified',
  'mailbox.created': 'was added',
  'mailbox.updated': 'was changed',
  'mailbox.deleted': 'was deleted',
  'mailbox.restored': 'was restored',
  'alias.created': 'was added',
  'alias.updated': 'was changed',
  'alias.deleted': 'was deleted',
  'key.created': 'was created',
  'key.updated': 'was changed',
  'key.deleted': 'was revoked',
  'key.rotated': 'was replaced',
  'link.created': 'was created',
  'link.deleted': 'was ended',
  'partner.updated': 'was changed',
  'partner.suspended': 'was suspended',
  'partner.activated': 'was activated',
  'message.bounced': 'sent a message that bounced',
  'message.complained': 'sent a message that was reported as spam',
  'job.missed': 'did not run in time',
};

export const EVENT_TYPES = Object.keys(TEXTS) as Event['type'][];

/** A type that only a newer service has is shown as the API names it. */
export function eventText(type: Event['type']): string {
  return (TEXTS as Partial<typeof TEXTS>)[type] ?? type;
}

/** What the event is about: an address, a domain, or another thing with its noun. */
export function eventSubject({ type, subject, domain }: Pick<Event, 'type' | 'subject' | 'domain'>): string {
  const [noun = ''] = type.split('.');
  // The subject is the number of the link, which is shown nowhere else.
  if (noun === 'link' && domain !== null) return `A link to ${namedInText(domain)}`;
  return ['key', 'link', 'partner', 'job'].includes(noun) ? `The ${noun} ${subject}` : subject;
}

/** The causes that a suspension added, or that an activation lifted; empty for other events. */
export function eventCauses({ type, data }: Pick<Event, 'type' | 'data'>): string {
  const [before, after] = [namesIn(memberOf(data, 'before')), namesIn(memberOf(data, 'after'))];
  const isEnd = type.endsWith('.activated');
  const changed = isEnd
    ? before.filter((cause) => !after.includes(cause))
    : after.filter((cause) => !before.includes(cause));
  const words = suspensionCauses(changed);
  return isEnd && words !== '' ? ` (it was suspended${words})` : words;
}

/** Those of a domain are words; those of a partner have a stage beside the word. */
function namesIn(values: unknown): string[] {
  const causes = memberOf(values, 'suspension_causes');
  if (!Array.isArray(causes)) return [];
  return causes.map((each: unknown) => (typeof each === 'string' ? each : String(memberOf(each, 'cause'))));
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
