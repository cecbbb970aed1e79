import { type TrailRow, timeInId } from '@mailstead/core/trail/trail-row';
import {
  MAX_TRAIL_ADDRESS,
  MAX_TRAIL_DETAIL,
  MAX_TRAIL_HOST,
  MAX_TRAIL_MESSAGE_ID,
  MAX_TRAIL_REASON,
  TRAIL_DIRECTIONS,
  TRAIL_STATES,
} from '@mailstead/core/trail/trail-step';
import type { ListedTrail } from '@mailstead/core/trail/trail-store';
import { Enum, InputTime, Integer, ListOf, QueryInteger, Text, Time } from '../http/fields.js';
import { MAX_PAGE_ROWS } from '../http/paging.js';
import { domainName, parsedBy } from '../http/text-rules.js';
import { timestamp } from '../http/timestamp.js';

const MAX_ITEMS = 1_000;
const MAX_QUEUE_ID = 64;
const MAX_NAME = 1_000;

const STATES =
  '`accepted`: taken from the sender. `deferred`: it waits. `refused`: by us. `stored`: in a mailbox here. `forwarded`: sent on to another server. `relayed`: the relay took it. `delivered`: the relay says that the recipient’s server took it. `bounced`: the recipient will not get it. `complained`: the recipient called it spam';

export class TrailItem {
  @Text({ min: 1, max: MAX_TRAIL_HOST, description: 'The name of the mail server', example: 'mx1.example.net' })
  host!: string;
  @Text({
    min: 1,
    max: MAX_QUEUE_ID,
    nullable: true,
    description: 'The queue id, which is never used again; null when it was refused before it had one',
    example: '4dGz1V2y3Xz9QrT',
  })
  queue_id!: string | null;
  @InputTime({ description: 'When it happened', example: '2026-03-01T12:00:00.000' }) at!: Date;
  @Enum(TRAIL_STATES, { description: `What happened. ${STATES}`, example: 'accepted' })
  step!: TrailRow['state'];
  @Enum(TRAIL_DIRECTIONS, { description: 'Whether the domain sent or received the message', example: 'out' })
  direction!: TrailRow['direction'];
  @Text({ max: MAX_NAME, description: 'The domain here that sent or received it', example: 'example.com' })
  domain!: string;
  @Text({
    max: MAX_TRAIL_ADDRESS,
    description: 'The envelope sender; empty for a notice, `*@` and the domain for refusals of several senders',
    example: 'info@example.com',
  })
  sender!: string;
  @Text({ min: 1, max: MAX_TRAIL_ADDRESS, description: 'As given at RCPT', example: 'jane@example.org' })
  recipient!: string;
  @Integer({ optional: true, nullable: true, description: 'Bytes', example: 20_480 }) size?: number | null;
  @Text({
    min: 1,
    max: MAX_TRAIL_MESSAGE_ID,
    optional: true,
    nullable: true,
    description: 'The Message-ID with its brackets',
    example: '<7f3a@example.com>',
  })
  message_id?: string | null;
  @Text({
    max: MAX_TRAIL_REASON,
    optional: true,
    nullable: true,
    description: 'The reason of a verdict, such as `daily_limit`, or a status code',
    example: null,
  })
  reason?: string | null;
  @Text({
    max: MAX_TRAIL_DETAIL,
    optional: true,
    nullable: true,
    description: 'What the other server said, or where it waits',
    example: null,
  })
  detail?: string | null;
}

export class TrailBody {
  @ListOf(TrailItem, { min: 1, max: MAX_ITEMS, description: 'Steps of messages, at most 1,000' })
  items!: TrailItem[];
}

export class TrailTakenResponse {
  @Integer({ description: 'Steps that are stored, also those that were stored before', example: 1 }) taken!: number;
  @Integer({
    description:
      'Steps of domains that are not here, of days that are not kept, and of rows that there was no room for',
    example: 0,
  })
  dropped!: number;
}

export class MessagesQuery {
  @Text({ max: MAX_NAME, rule: domainName, optional: true, description: 'Only messages of this domain' })
  domain?: string;
  @Text({
    min: 1,
    max: MAX_TRAIL_ADDRESS,
    optional: true,
    description: 'Only messages that this address here sent or received',
    example: 'info@example.com',
  })
  mailbox?: string;
  @Text({ min: 1, max: MAX_TRAIL_ADDRESS, optional: true, description: 'Only messages to this address' })
  recipient?: string;
  @Text({ min: 1, max: MAX_TRAIL_MESSAGE_ID, optional: true, description: 'Only messages with this Message-ID' })
  message_id?: string;
  @Enum(TRAIL_DIRECTIONS, { optional: true, description: 'Only sent or received ones' })
  direction?: TrailRow['direction'];
  @Enum(TRAIL_STATES, { optional: true, description: 'Only messages in this state' }) state?: TrailRow['state'];
  @InputTime({
    optional: true,
    description:
      'Only messages from this moment on. Without domain, mailbox, recipient and message_id at most 24 hours before `until`, which is also the default; otherwise all that are kept',
  })
  since?: Date;
  @InputTime({ optional: true, description: 'Only messages before this moment; the default is now' }) until?: Date;
  @QueryInteger({
    min: 1,
    max: MAX_PAGE_ROWS,
    optional: true,
    description: 'Rows per page; without it the list is complete',
  })
  limit?: number;
  @Text({
    max: 64,
    rule: parsedBy(timeInId, 'must be the id of a message'),
    optional: true,
    description: 'Only rows with a smaller id, which are older',
  })
  after?: string;
}

export class MessageResponse {
  @Text({ description: 'The id, which sorts by time', example: '019d0c3a4d0V1StGXR8Z5jdHi6B-myTAx' }) id!: string;
  @Time({ description: 'When it was first seen' }) at!: string;
  @Enum(TRAIL_DIRECTIONS, { description: 'Whether the domain sent or received it', example: 'out' })
  direction!: string;
  @Text({ description: 'The domain here that sent or received it', example: 'example.com' }) domain!: string;
  @Text({
    description: 'The envelope sender; empty for a notice, `*@` and the domain for refusals of several senders',
    example: 'info@example.com',
  })
  sender!: string;
  @Text({
    description: 'As given at RCPT; `*@` and the domain, or `*`, for the row that counts further refusals',
    example: 'jane@example.org',
  })
  recipient!: string;
  @Integer({ nullable: true, description: 'Bytes; null when not known', example: 20_480 }) size!: number | null;
  @Enum(TRAIL_STATES, { description: STATES, example: 'relayed' }) state!: string;
  @Text({
    nullable: true,
    description: 'Why, such as the reason of a verdict (`daily_limit`); null without one',
    example: null,
  })
  reason!: string | null;
  @Text({ nullable: true, description: 'The Message-ID; null when not known', example: '<7f3a@example.com>' })
  message_id!: string | null;
  @Time({ description: 'When something was last reported' }) last_at!: string;
  @Integer({ min: 1, description: 'How often; more than 1 only for refusals', example: 1 })
  count!: number;
}

export class MessageStepResponse {
  @Time({ description: 'When it happened' }) at!: string;
  @Enum(TRAIL_STATES, { description: 'What happened', example: 'relayed' }) step!: string;
  @Text({ nullable: true, description: 'What the other server said, or where it waits', example: '250 Ok' })
  detail!: string | null;
}

export class MessageWithStepsResponse extends MessageResponse {
  @ListOf(MessageStepResponse, { description: 'What happened, by time: the first and the last ones, 20 in all' })
  steps!: MessageStepResponse[];
}

export function presentMessage(row: ListedTrail): MessageResponse {
  const { id, at, direction, domain, sender, recipient, size, state, reason, messageId, lastAt, count } = row;
  return {
    id,
    at: timestamp(at),
    direction,
    domain,
    sender,
    recipient,
    size,
    state,
    reason,
    message_id: messageId,
    last_at: timestamp(lastAt),
    count,
  };
}

export function presentWithSteps(row: TrailRow): MessageWithStepsResponse {
  const steps = row.steps.map(({ at, step, detail }) => ({ at: timestamp(at), step, detail }));
  return Object.assign(presentMessage(row), { steps });
}
