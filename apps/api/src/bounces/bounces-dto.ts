import { BOUNCE_LIST_KINDS, type Bounce } from '@mailstead/core/relay-events/bounce-log';
import { Enum, Integer, QueryInteger, Text, Time } from '../http/fields.js';
import { timestamp } from '../http/timestamp.js';

export class BouncesQuery {
  @QueryInteger({ min: 1, max: 1_000, optional: true, description: 'Rows per page; without it the list is complete' })
  limit?: number;

  @QueryInteger({ min: 1, max: Number.MAX_SAFE_INTEGER, optional: true, description: 'Only rows with a lower id' })
  after?: number;
}

export class BounceResponse {
  @Integer({ min: 1, description: 'The id of the bounce; a newer one has a higher id', example: 1 }) id!: number;
  @Time({ description: 'When it happened' }) at!: string;
  @Text({ description: 'Who did not get the message, or complained about it', example: 'jane@example.org' })
  recipient!: string;
  @Text({ nullable: true, description: 'The envelope sender; null when not known', example: 'info@example.com' })
  sender!: string | null;
  @Enum(BOUNCE_LIST_KINDS, {
    description:
      '`permanent`: the recipient will never get it. `transient`: another message may arrive. `complaint`: the recipient called it spam',
    example: 'permanent',
  })
  kind!: string;
  @Text({
    nullable: true,
    description:
      'The relay’s name of the kind; null without one. OnAccountSuppressionList, OnTenantSuppressionList, EmailValidationSuppressed and UnsubscribedRecipient: the relay never tried to deliver the message, and it counts nowhere',
    example: 'NoEmail',
  })
  subtype!: string | null;
  @Text({
    nullable: true,
    description:
      'What the server of the recipient said, or the kind of the complaint; `one of 3 possible` when the relay names several who may have complained; null when not known',
    example: 'smtp; 550 5.1.1 user unknown',
  })
  diagnostic!: string | null;
  @Text({ description: 'The relay’s id of the message', example: '0102018f2c6e4b11' }) message_id!: string;
}

export function presentBounce(bounce: Bounce): BounceResponse {
  const { id, at, recipient, sender, kind, subtype, diagnostic, messageId } = bounce;
  return { id, at: timestamp(at), recipient, sender, kind, subtype, diagnostic, message_id: messageId };
}
