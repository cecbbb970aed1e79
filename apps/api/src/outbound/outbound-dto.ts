import { OUTBOUND_ACTIONS, OUTBOUND_REASONS } from '@mailstead/core/outbound/decide-outbound';
import { MAX_SESSION_AGE_MS } from '@mailstead/core/outbound/open-session';
import {
  OUTBOUND_ENFORCEMENTS,
  OUTBOUND_STATUSES,
  OUTBOUND_TIERS,
  type OutboundEnforcement,
  type OutboundStatus,
  type OutboundTier,
} from '@mailstead/core/outbound/outbound-settings';
import { Bool, Enum, InputTime, Integer, ListOf, ListOfText, QueryInteger, Text } from '../http/fields.js';
import { OperatorMessage } from '../http/operator-message.js';
import { REFUSALS } from './outbound-state-dto.js';

const MAX_LIMIT = 1_000_000_000;
const MAX_COUNT = 10_000;
const MAX_BYTES = 1_099_511_627_776;
const TRANSFER_DIRECTIONS = ['in', 'out'] as const;
const MAX_ITEMS = 1_000;
const MAX_RECIPIENTS = 1_000;
const MAX_CLAIMS = 1_000;
const MAX_ID = 128;
const MAX_SENDER = 254;

export class OutboundChangeBody {
  @Enum(OUTBOUND_TIERS, {
    optional: true,
    nullable: true,
    description: 'Master only. Null: that of the linked parent, or the default',
  })
  outbound_tier?: OutboundTier | null;

  @Enum(OUTBOUND_ENFORCEMENTS, {
    optional: true,
    nullable: true,
    description: 'Master only. Null: that of the linked parent, or the default',
  })
  outbound_enforcement?: OutboundEnforcement | null;

  @Enum(OUTBOUND_STATUSES, { optional: true, description: 'Master only; unblocking starts a new bounce window' })
  outbound_status?: OutboundStatus;

  @OperatorMessage('about the block, in its cause; only while it is blocked')
  message?: string | null;

  @Integer({
    max: MAX_LIMIT,
    optional: true,
    nullable: true,
    description:
      "Messages per UTC day; 0 is unlimited. A client may only lower the operator's limit; null removes its own. Master: null is the tier’s",
    example: 100,
  })
  daily_limit?: number | null;

  @Integer({
    max: MAX_LIMIT,
    optional: true,
    nullable: true,
    description: 'Messages per UTC month; the same rules as for `daily_limit`',
    example: 2000,
  })
  monthly_limit?: number | null;

  @InputTime({
    optional: true,
    nullable: true,
    description:
      'Master only. The limits of this request hold until this time in the future; then the others hold again. Null: they end now',
  })
  until?: Date | null;
}

export class IncrementBody {
  @Integer({
    min: 1,
    max: MAX_COUNT,
    optional: true,
    description: 'Number of outside recipients; 1 when left out. With `recipients`: the minimum that they count as',
    example: 1,
  })
  count?: number;

  @ListOfText({
    min: 1,
    max: MAX_RECIPIENTS,
    maxLength: MAX_SENDER,
    optional: true,
    description:
      'The addresses of the recipients, one for each copy that leaves; the service counts those outside, including destinations of aliases',
  })
  recipients?: string[];

  @Integer({
    max: MAX_BYTES,
    optional: true,
    description: 'Bytes of all copies together; with `recipients`: bytes of one copy',
    example: 20480,
  })
  bytes?: number;

  @Text({ max: MAX_SENDER, optional: true, description: 'The mailbox that logged in', example: 'info@example.com' })
  sender?: string;

  @Integer({
    max: MAX_SESSION_AGE_MS,
    optional: true,
    description:
      'Milliseconds since the SMTP session of `sender` began, measured when the request is sent. When the password was changed, or the mailbox disabled, deleted, created or restored since then, the verdict is `session_ended`. Needs `sender`; not checked with `record`',
    example: 1500,
  })
  session_age_ms?: number;

  @ListOfText({
    min: 1,
    max: MAX_CLAIMS,
    maxLength: MAX_SENDER,
    optional: true,
    description:
      'The addresses that the message names as its senders. When `sender` may not use one of them, the verdict is `sender_not_allowed`, and nothing is counted. Needs `sender`; not checked with `record`',
  })
  claims?: string[];

  @Text({
    min: 1,
    max: MAX_ID,
    optional: true,
    description: 'An id of the message. The same id is counted once within 24 hours',
  })
  id?: string;

  @Bool({ optional: true, description: 'Count the message whatever the verdict is, because it was already sent' })
  record?: boolean;

  @Bool({
    optional: true,
    description: 'True for mail of outside senders that an alias of the domain forwards; not with `sender`',
  })
  forwarded?: boolean;

  @Bool({
    optional: true,
    description:
      'True for a read receipt (RFC 8098). It may count as at most 1 (else `message_exceeds_limit`), and 50 of a mailbox may leave on a day (else `mailbox_limit`), also where limits are only monitored. Needs `sender` and `recipients`',
  })
  receipt?: boolean;
}

export class IncrementItem extends IncrementBody {
  @Text({
    max: MAX_SENDER,
    description: 'The domain that sends; an unknown one gets the verdict `domain_not_found`',
    example: 'example.com',
  })
  domain!: string;
}

export class IncrementsBody {
  @ListOf(IncrementItem, { min: 1, max: MAX_ITEMS, description: 'The messages, at most 1,000' })
  items!: IncrementItem[];
}

export class VerdictResponse {
  @Text({ description: 'The name of the domain', example: 'example.com' }) name!: string;
  @Bool({ description: 'Whether the message may be sent', example: true }) allowed!: boolean;
  @Enum(OUTBOUND_ACTIONS, {
    description: 'What the mail server does: accept, defer (try again later) or reject',
    example: 'accept',
  })
  action!: string;
  @Enum([...OUTBOUND_REASONS, ...REFUSALS], {
    nullable: true,
    description:
      'Why it may not be sent, or would not be with `enforce`; null without a reason. Only previews have `recipient_suppressed`',
    example: null,
  })
  reason!: string | null;
  @Text({ optional: true, description: 'The linked parent, if its limit or state is the reason' })
  limited_by?: string;
  @Text({ optional: true, description: 'With `sender_not_allowed`: the first of `claims` that `sender` may not use' })
  foreign_sender?: string;
  @Integer({ optional: true, description: 'Outside recipients of messages sent today (UTC)', example: 13 })
  sent_today?: number;
  @Integer({ optional: true, description: 'Outside recipients of messages sent this month (UTC)', example: 341 })
  sent_this_month?: number;
  @Integer({ optional: true, description: 'The effective limit of a day; 0 is unlimited', example: 200 })
  daily_limit?: number;
  @Integer({ optional: true, description: 'The effective limit of a month; 0 is unlimited', example: 3000 })
  monthly_limit?: number;
  @Enum(OUTBOUND_STATUSES, { optional: true, description: 'Whether the domain is blocked', example: 'active' })
  outbound_status?: string;
  @Bool({ optional: true, description: 'Whether the relay accepts mail of the domain', example: true })
  verified?: boolean;
  @Integer({ optional: true, description: 'Number of outside recipients that the `recipients` counted as' })
  count?: number;
  @Integer({ optional: true, description: 'Recipients of forwarded mail today; only for `forwarded` items' })
  forwarded_today?: number;
}

export class PreviewItem {
  @Text({ max: MAX_SENDER, description: 'The domain that sends', example: 'example.com' })
  domain!: string;

  @Text({ max: MAX_SENDER, optional: true, description: 'The mailbox that logged in', example: 'info@example.com' })
  sender?: string;

  @Integer({
    max: MAX_SESSION_AGE_MS,
    optional: true,
    description:
      'Milliseconds since the SMTP session of `sender` began, measured when the request is sent. When the password was changed, or the mailbox disabled, deleted, created or restored since then, the verdict is `session_ended`. Needs `sender`',
    example: 1500,
  })
  session_age_ms?: number;

  @Text({
    max: MAX_SENDER,
    optional: true,
    description: 'The address of the recipient; when left out, any outside recipient',
    example: 'someone@elsewhere.example',
  })
  recipient?: string;

  @Text({
    max: MAX_SENDER,
    optional: true,
    description: 'The domain of the recipient, as in the first release; not with `recipient`',
  })
  recipient_domain?: string;

  @Bool({
    optional: true,
    description: 'True for mail of outside senders to an alias of the domain; not with `sender`',
  })
  forwarded?: boolean;
}

export class PreviewsBody {
  @ListOf(PreviewItem, { min: 1, max: MAX_ITEMS, description: 'The items to preview, at most 1,000' })
  items!: PreviewItem[];
}

export class PreviewVerdictResponse extends VerdictResponse {
  @Bool({ description: 'Mail for the recipient stays on this platform and does not count as outbound', example: false })
  stays_here!: boolean;

  @Integer({
    description:
      'Number of outside recipients that the recipient counts as: 1 for an outside address, 0 for a mailbox, for an alias the number of its outside destinations',
    example: 1,
  })
  counts_as!: number;

  @Integer({
    nullable: true,
    description: 'Number of further outside recipients that the limits allow now; null when no limit is enforced',
    example: 187,
  })
  headroom!: number | null;

  @Bool({
    description: 'Ask about each recipient, whatever `headroom` says: the partner refuses suppressed ones',
    example: false,
  })
  each_recipient!: boolean;

  @Text({
    optional: true,
    description: 'With the reason `recipient_suppressed`: the UTC day since which the recipient is suppressed',
    example: '2026-03-15',
  })
  suppressed_since?: string;
}

export class TransferItem {
  @Text({ max: MAX_SENDER, description: 'The domain whose mailbox received or read the mail', example: 'example.com' })
  domain!: string;

  @Integer({ max: MAX_BYTES, description: 'The number of bytes', example: 20480 })
  bytes!: number;

  @Enum(TRANSFER_DIRECTIONS, { optional: true, description: '`in`: received, the default. `out`: read', example: 'in' })
  direction?: (typeof TRANSFER_DIRECTIONS)[number];

  @Text({
    min: 1,
    max: MAX_ID,
    optional: true,
    description: 'An id of the message or session. The same id is counted once within 24 hours',
  })
  id?: string;
}

export class TransfersBody {
  @ListOf(TransferItem, { min: 1, max: MAX_ITEMS, description: 'The transfers, at most 1,000' })
  items!: TransferItem[];
}

export class TransferCountResponse {
  @Text({ description: 'The name of the domain', example: 'example.com' }) name!: string;
  @Bool({ description: 'Whether the bytes were counted', example: true }) counted!: boolean;
  @Enum(REFUSALS, {
    nullable: true,
    description: 'Why they were not counted; null when they were',
    example: null,
  })
  reason!: string | null;
  @Integer({ optional: true, description: 'Bytes of this month, in and out', example: 20480 })
  bytes_this_month?: number;
}

export class RankedQuery {
  @QueryInteger({ min: 1, max: 1_000, optional: true, description: 'Rows per page; without it the list is complete' })
  limit?: number;

  @QueryInteger({
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    optional: true,
    description: 'The `after` value of the link to the next page',
  })
  after?: number;
}
