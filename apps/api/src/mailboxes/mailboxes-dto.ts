import type { Mailbox } from '@mailstead/core/mailboxes/mailbox';
import type { StoredMail } from '@mailstead/core/mailboxes/mailbox-usage';
import { MAX_QUOTA_MB } from '@mailstead/core/mailboxes/storage-quota-rule';
import { Bool, Decimal, Integer, Text, Time } from '../http/fields.js';
import { PartnerFilterQuery } from '../http/paging.js';
import { timestamp } from '../http/timestamp.js';

const MAX_DAILY_LIMIT = 1_000_000_000;
const MAX_NAME = 128;
const MB = 1_048_576;

export class CreateMailboxBody {
  @Text({ max: 320, description: 'The address of the mailbox' })
  email!: string;

  @Text({ max: 1_000, optional: true, description: '8 to 72 bytes. Required unless password_hash is given' })
  password?: string;

  @Text({
    max: 255,
    optional: true,
    description: 'A password hash: $2a$, $2b$, $2y$ (cost 4 to 14) or {SHA512-CRYPT}$6$',
  })
  password_hash?: string;

  @Text({ max: MAX_NAME, optional: true, nullable: true })
  name?: string | null;

  @Integer({
    min: 0,
    max: MAX_QUOTA_MB,
    optional: true,
    description: 'Megabytes; 0 is unlimited (operators only). When left out: the quota of the plan',
  })
  quota_mb?: number;

  @Integer({
    min: 0,
    max: MAX_DAILY_LIMIT,
    optional: true,
    description:
      "Messages per UTC day; 0 is unlimited. When left out: the limit of the partner's deleted mailbox with this address if that is still kept, else 0",
  })
  outbound_daily_limit?: number;
}

export class UpdateMailboxBody {
  @Text({ max: 1_000, optional: true })
  password?: string;

  @Text({ max: MAX_NAME, optional: true, nullable: true })
  name?: string | null;

  @Bool({ optional: true, description: 'false: the mailbox cannot log in or send; it still receives mail' })
  active?: boolean;

  @Integer({ min: 0, max: MAX_QUOTA_MB, optional: true })
  quota_mb?: number;

  @Integer({ min: 0, max: MAX_DAILY_LIMIT, optional: true })
  outbound_daily_limit?: number;
}

export class MailboxResponse {
  @Integer({ min: 1 }) id!: number;
  @Text() email!: string;
  @Text({ nullable: true }) name!: string | null;
  @Integer() quota_mb!: number;
  @Integer() outbound_daily_limit!: number;
  @Bool() active!: boolean;
  @Time() created_at!: string;
}

/** One mailbox, with its storage use as the mail server reports it. */
export class MailboxDetailsResponse extends MailboxResponse {
  @Decimal({
    nullable: true,
    description: 'Megabytes, with two decimals; null when the mail server does not report it',
  })
  storage_used_mb!: number | null;

  @Integer({
    nullable: true,
    description: 'Number of messages in all folders; null when the mail server does not report it',
  })
  messages!: number | null;
}

export class MailboxesQuery extends PartnerFilterQuery {
  @Text({ max: 1_000, optional: true, description: 'Only mailboxes of this domain' })
  domain?: string;
}

export class QuotaBody {
  @Integer({ min: 0, max: MAX_QUOTA_MB, description: 'Megabytes' })
  quota_mb!: number;
}

export class QuotaResponse {
  @Integer() quota_mb!: number;
}

export function presentMailbox(mailbox: Mailbox): MailboxResponse {
  return {
    id: mailbox.id,
    email: mailbox.email,
    name: mailbox.name,
    quota_mb: mailbox.quotaMb,
    outbound_daily_limit: mailbox.outboundDailyLimit,
    active: mailbox.active,
    created_at: timestamp(mailbox.createdAt),
  };
}

export function presentMailboxDetails(mailbox: Mailbox, stored: StoredMail | null): MailboxDetailsResponse {
  return Object.assign(new MailboxDetailsResponse(), presentMailbox(mailbox), {
    storage_used_mb: stored === null ? null : Math.round((stored.bytes / MB) * 100) / 100,
    messages: stored?.messages ?? null,
  });
}
