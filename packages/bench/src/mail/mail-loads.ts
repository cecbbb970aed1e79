import type { Instance } from './postfix-variant.js';

/** Messages of one kind. */
export interface MailLoadKind {
  instance: Instance;
  recipients: 1 | 20;
  /** One mailbox sends everything. */
  isBusy?: boolean;
  /** Of the warm-up and of each round: fewer where a message has more recipients, and where each gets a copy. */
  messages: number;
  what: string;
}

/** The loads, by their names for `npm run bench -- mail/<name>`. */
export const MAIL_LOADS = {
  submission: { instance: 'postfix-submission', recipients: 1, messages: 2_000, what: 'submission, 1 recipient' },
  busy: {
    instance: 'postfix-submission',
    recipients: 1,
    isBusy: true,
    messages: 2_000,
    what: 'submission, 1 recipient, one mailbox',
  },
  'submission-20': { instance: 'postfix-submission', recipients: 20, messages: 400, what: 'submission, 20 recipients' },
  'port-25': { instance: 'postfix', recipients: 1, messages: 2_000, what: 'port 25, 1 recipient' },
  'port-25-20': { instance: 'postfix', recipients: 20, messages: 200, what: 'port 25, 20 recipients' },
} as const satisfies Record<string, MailLoadKind>;
