import { shownOf } from '../audit/shown-of.js';
import { Mailbox } from './mailbox.js';

const HIDDEN = [
  'id',
  'domainId',
  'email',
  'localPart',
  'passwordHash',
  'home',
  'createdAt',
  'restoredAt',
  'revokedAt',
  'revision',
] as const satisfies (keyof Mailbox)[];

/** The fields that the audit row of a change shows. */
export const shownMailbox = shownOf(Mailbox, { hide: HIDDEN });

/** The fields that the audit row of a creation shows. */
export const shownNewMailbox = shownOf(Mailbox, { hide: [...HIDDEN, 'active'], hideNull: ['externalRef'] });
