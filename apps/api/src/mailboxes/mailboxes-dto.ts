import type { Mailbox } from '@mailstead/core/mailboxes/mailbox';
import type { MailboxFilter } from '@mailstead/core/mailboxes/mailbox-repository';
import type { StoredMail } from '@mailstead/core/mailboxes/mailbox-usage';
import { passwordHashProblem, passwordProblem } from '@mailstead/core/mailboxes/password';
import { MAX_QUOTA_MB } from '@mailstead/core/mailboxes/storage-quota-rule';
import type { Explanation } from '@mailstead/core/outbound/explain-outbound';
import { Bool, Decimal, FreeText, Integer, Nested, QueryBool, Text, Time, Total } from '../http/fields.js';
import { type CountedQuery, PartnerFilterQuery } from '../http/paging.js';
import { beginningsOf } from '../http/parse.js';
import { REVISION } from '../http/revision.js';
import { domainName, notBlank, ownAddress, trimmed } from '../http/text-rules.js';
import { timestamp } from '../http/timestamp.js';
import { ExplainedVerdictResponse, IncomingResponse, presentExplanation } from '../outbound/explained-verdict-dto.js';

const MAX_DAILY_LIMIT = 1_000_000_000;
const MB = 1_048_576;

const NEW_EXTERNAL_REF = {
  min: 1,
  rule: trimmed,
  optional: true,
  nullable: true,
  description: "A reference of the partner's own system, not unique; null removes it",
  example: 'person-17',
};

export class CreateMailboxBody {
  @Text({ max: 320, rule: ownAddress, description: 'The address of the mailbox', example: 'info@example.com' })
  email!: string;

  @Text({
    max: 1_000,
    rule: passwordProblem,
    optional: true,
    description: '8 to 72 bytes, and not a common password. Required unless password_hash is given',
    example: 'correct horse battery',
  })
  password?: string;

  @Text({
    max: 255,
    rule: passwordHashProblem,
    optional: true,
    description: 'A password hash: $2a$, $2b$, $2y$ (cost 4 to 12) or {SHA512-CRYPT}$6$ (at most 100,000 rounds)',
  })
  password_hash?: string;

  @FreeText({ optional: true, nullable: true, description: 'The display name', example: 'Reception' })
  name?: string | null;

  @Integer({
    min: 0,
    max: MAX_QUOTA_MB,
    optional: true,
    description: 'Megabytes; 0 is unlimited (operators only). When left out: the quota of the plan',
    example: 1024,
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

  @FreeText(NEW_EXTERNAL_REF) external_ref?: string | null;
}

export class UpdateMailboxBody {
  @Text({
    max: 1_000,
    rule: passwordProblem,
    optional: true,
    description: 'The new password: 8 to 72 bytes, and not a common password',
  })
  password?: string;

  @FreeText({
    optional: true,
    nullable: true,
    description: 'The display name; null removes it',
    example: 'Reception',
  })
  name?: string | null;

  @Bool({ optional: true, description: 'false: the mailbox cannot log in or send; it still receives mail' })
  active?: boolean;

  @Integer({
    min: 0,
    max: MAX_QUOTA_MB,
    optional: true,
    description: 'Megabytes; 0 is unlimited (operators only)',
    example: 2048,
  })
  quota_mb?: number;

  @Integer({
    min: 0,
    max: MAX_DAILY_LIMIT,
    optional: true,
    description: 'Messages per UTC day; 0 is unlimited',
    example: 100,
  })
  outbound_daily_limit?: number;

  @FreeText(NEW_EXTERNAL_REF) external_ref?: string | null;
}

export class MailboxResponse {
  @Integer({ min: 1, description: 'The id of the mailbox', example: 1 }) id!: number;
  @Text({ description: 'The address of the mailbox, and the user name of mail programs', example: 'info@example.com' })
  email!: string;
  @Text({ nullable: true, description: 'The display name', example: 'Reception' }) name!: string | null;
  @Integer({ description: 'The storage quota, megabytes; 0 is unlimited', example: 1024 }) quota_mb!: number;
  @Integer({ description: 'Messages per UTC day; 0 is unlimited', example: 100 }) outbound_daily_limit!: number;
  @Bool({ description: 'Whether the mailbox may log in and send', example: true }) active!: boolean;
  @Text({
    nullable: true,
    description: "A reference of the partner's own system; null without one",
    example: 'person-17',
  })
  external_ref!: string | null;
  @Integer(REVISION) revision!: number;
  @Time({ description: 'When it was created' }) created_at!: string;
}

/** One mailbox, with its storage use as the mail server reports it, and with what happens to its mail. */
export class MailboxDetailsResponse extends MailboxResponse {
  @Decimal({
    nullable: true,
    description: 'Megabytes, with two decimals; null when the mail server does not report it',
    example: 12.5,
  })
  storage_used_mb!: number | null;

  @Integer({
    nullable: true,
    description: 'Number of messages in all folders; null when the mail server does not report it',
    example: 340,
  })
  messages!: number | null;

  @Nested(ExplainedVerdictResponse, {
    description:
      'What a message of this mailbox to one outside recipient would get now. A mailbox that is not `active` cannot log in, whatever the verdict is',
  })
  verdict!: ExplainedVerdictResponse;

  @Nested(IncomingResponse, { description: 'What happens to mail that comes in; `active` does not matter' })
  incoming!: IncomingResponse;
}

export class MailboxesQuery extends PartnerFilterQuery implements CountedQuery {
  @Total() total?: 'true';

  @Text({
    max: 1_000,
    rule: domainName,
    optional: true,
    description: 'Only mailboxes of this domain',
    example: 'example.com',
  })
  domain?: string;

  @Text({
    max: 1_000,
    rule: notBlank,
    optional: true,
    description: 'The beginning of the address, or of `external_ref`, exactly',
    example: 'inf',
  })
  q?: string;

  @QueryBool({ optional: true, description: 'Only mailboxes that may, or may not, log in and send' })
  active?: boolean;

  @Text({ min: 1, max: 128, rule: trimmed, optional: true, description: 'Only mailboxes with exactly this reference' })
  external_ref?: string;

  conditions(): Pick<MailboxFilter, 'begins' | 'active' | 'externalRef'> {
    const begins = beginningsOf(this.q);
    return {
      begins: begins === undefined ? undefined : { address: begins.address, externalRef: begins.text },
      active: this.active,
      externalRef: this.external_ref,
    };
  }
}

export class QuotaBody {
  @Integer({ min: 0, max: MAX_QUOTA_MB, description: 'Megabytes; 0 is unlimited (operators only)', example: 2048 })
  quota_mb!: number;
}

export class QuotaResponse {
  @Integer({ description: 'Megabytes; 0 is unlimited', example: 2048 }) quota_mb!: number;
  @Integer(REVISION) revision!: number;
}

export function presentQuota({ quotaMb, revision }: Mailbox): QuotaResponse {
  return { quota_mb: quotaMb, revision };
}

export function presentMailbox(mailbox: Mailbox): MailboxResponse {
  return {
    id: mailbox.id,
    email: mailbox.email,
    name: mailbox.name,
    quota_mb: mailbox.quotaMb,
    outbound_daily_limit: mailbox.outboundDailyLimit,
    active: mailbox.active,
    external_ref: mailbox.externalRef,
    revision: mailbox.revision,
    created_at: timestamp(mailbox.createdAt),
  };
}

export function presentMailboxDetails(
  mailbox: Mailbox,
  stored: StoredMail | null,
  explanation: Explanation,
): MailboxDetailsResponse {
  return Object.assign(new MailboxDetailsResponse(), presentMailbox(mailbox), {
    storage_used_mb: stored === null ? null : Math.round((stored.bytes / MB) * 100) / 100,
    messages: stored?.messages ?? null,
    ...presentExplanation(explanation),
  });
}
