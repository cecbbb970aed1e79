import type { Event } from '../api/shapes.js';

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
  'domain.outbound_blocked': 'may not send any more',
  'domain.outbound_unblocked': 'may send again',
  'domain.limit_reached': 'reached a limit',
  'domain.retention_lowered': 'keeps mail for a shorter time',
  'domain.expiring': 'will be removed soon, because nothing came of it',
  'domain.expired': 'was removed, because nothing came of it',
  'mailbox.created': 'was added',
  'mailbox.updated': 'was changed',
  'mailbox.deleted': 'was deleted',
  'mailbox.restored': 'was restored',
  'alias.created': 'was added',
  'alias.updated': 'was changed',
  'alias.deleted': 'was deleted',
  'key.created': 'was made',
  'key.updated': 'was changed',
  'key.deleted': 'was revoked',
  'key.rotated': 'was replaced',
  'link.created': 'was made',
  'link.deleted': 'was ended',
  'partner.updated': 'was changed',
  'partner.suspended': 'was suspended',
  'partner.activated': 'was activated',
  'message.bounced': 'sent a message that came back',
  'message.complained': 'sent a message that was called spam',
  'job.missed': 'did not run in time',
};

export const EVENT_TYPES = Object.keys(TEXTS) as Event['type'][];

/** A type that only a newer service has is shown as the API names it. */
export function eventText(type: Event['type']): string {
  return (TEXTS as Partial<typeof TEXTS>)[type] ?? type;
}

/** What the event is about: an address, a domain, or another thing with its noun. */
export function eventSubject({ type, subject }: Pick<Event, 'type' | 'subject'>): string {
  const [noun = ''] = type.split('.');
  return ['key', 'link', 'partner', 'job'].includes(noun) ? `The ${noun} ${subject}` : subject;
}
