import type { Event } from '../../api/shapes.js';

/** What happened, after what it is about. */
export const event = {
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
} as const satisfies Record<Event['type'], string>;

/** What an event is about, where its name alone does not say it. */
export const about = {
  key: 'The key {subject}',
  link: 'The link {subject}',
  linkTo: 'A link to {domain}',
  partner: 'The partner {subject}',
  job: 'The job {subject}',
} as const;

export const events = {
  latest: 'Latest events',
  none: 'Nothing has happened yet',
  noneYet: 'Nothing has happened yet.',
  causes: '{what} {causes}',
  liftedCauses: '{what} (it was suspended {causes})',
} as const;
