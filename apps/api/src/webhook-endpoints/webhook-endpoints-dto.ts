import { DISABLED_REASONS, ENDPOINT_STATUSES, type WebhookEndpoint } from '@mailstead/core/webhooks/webhook-endpoint';
import { ATTEMPT_OUTCOMES, type WebhookAttempt } from '@mailstead/core/webhooks/webhook-endpoints';
import { Bool, Enum, FreeText, Integer, ListOfText, Text, Time } from '../http/fields.js';
import { timestamp } from '../http/timestamp.js';

const TYPES = 'Types of events, such as `domain.created`, or all of a noun: `domain.*`; null: all';
const URL_NOTE = 'Where events are posted: https, port 443, a public address';
const EXAMPLE_URL = 'https://example.com/hooks/mail';
const MOST_TYPES = 100;

export class CreateWebhookBody {
  @Text({ max: 2_048, description: URL_NOTE, example: EXAMPLE_URL }) url!: string;
  @ListOfText({ max: MOST_TYPES, maxLength: 64, optional: true, nullable: true, description: TYPES })
  types?: string[] | null;
  @FreeText({ max: 128, optional: true, nullable: true, description: 'A note for yourself' })
  description?: string | null;
}

export class UpdateWebhookBody {
  @Text({
    max: 2_048,
    optional: true,
    description: `${URL_NOTE}. Another one has to be confirmed`,
    example: EXAMPLE_URL,
  })
  url?: string;
  @ListOfText({ max: MOST_TYPES, maxLength: 64, optional: true, nullable: true, description: TYPES })
  types?: string[] | null;
  @FreeText({ max: 128, optional: true, nullable: true, description: 'A note for yourself' })
  description?: string | null;
  @Bool({ optional: true, description: '`false` ends the deliveries; `true` goes on where they ended' })
  active?: boolean;
}

export class RotateWebhookBody {
  @Integer({
    min: 0,
    max: 72,
    optional: true,
    description: 'How many hours the former secret signs too; without it 24',
  })
  overlap_hours?: number;
}

export class RedeliverBody {
  @Integer({ min: 0, max: Number.MAX_SAFE_INTEGER, description: 'The position before the first event' })
  after!: number;
  @Integer({ min: 1, max: Number.MAX_SAFE_INTEGER, description: 'The position of the last event' })
  until!: number;
}

export class WebhookEndpointResponse {
  @Integer({ min: 1, description: 'The id of the endpoint', example: 1 }) id!: number;
  @Text({ nullable: true, description: 'The partner whose events it gets; null: the events of all', example: 'acme' })
  partner_ref!: string | null;
  @Text({ description: 'Where events are posted', example: EXAMPLE_URL }) url!: string;
  @ListOfText({ nullable: true, description: TYPES, example: ['domain.*'] }) types!: readonly string[] | null;
  @Text({ nullable: true, description: 'A note of its maker', example: null }) description!: string | null;
  @Enum(ENDPOINT_STATUSES, {
    description: 'Nothing is delivered before the URL has answered a challenge (`unconfirmed`), nor while `disabled`',
    example: 'active',
  })
  status!: string;
  @Enum(DISABLED_REASONS, { nullable: true, description: 'Why it is disabled', example: null })
  disabled_reason!: string | null;
  @Time({ description: 'When it was made' }) created_at!: string;
}

export class NewWebhookEndpointResponse extends WebhookEndpointResponse {
  @Text({
    description: 'The secret that signs deliveries (Standard Webhooks). It is shown this once',
    example: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDxOf9C0mYAS8=',
  })
  secret!: string;
}

export class ProbeResponse {
  @Enum(ATTEMPT_OUTCOMES, { description: 'How the attempt ended', example: 'ok' }) outcome!: string;
  @Integer({ nullable: true, description: 'The HTTP status; null without an answer', example: 204 })
  status!: number | null;
}

export class RedeliveryResponse {
  @Integer({ min: 0, description: 'How many events are delivered again', example: 12 }) events!: number;
}

export class WebhookAttemptResponse extends ProbeResponse {
  @Integer({ min: 1, description: 'The id of the attempt', example: 1 }) id!: number;
  @Integer({ nullable: true, description: 'The position of the event; null for what is no event', example: 1 })
  position!: number | null;
  @Text({ description: 'The type of the event', example: 'domain.created' }) type!: string;
  @Time({ description: 'When it ended' }) at!: string;
}

export function presentWebhook(endpoint: WebhookEndpoint): WebhookEndpointResponse {
  const { id, partnerRef, url, types, description, status, disabledReason, createdAt } = endpoint;
  return {
    id,
    partner_ref: partnerRef,
    url,
    types,
    description,
    status,
    disabled_reason: disabledReason,
    created_at: timestamp(createdAt),
  };
}

export function presentAttempt({ id, position, type, at, outcome, status }: WebhookAttempt): WebhookAttemptResponse {
  return { id, position, type, at: timestamp(at), outcome, status };
}
