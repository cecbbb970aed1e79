import type { OutboundDay } from '@mailstead/core/outbound/outbound-reader';
import { Integer, Text } from '../http/fields.js';
import { anyPartnerRef } from '../http/text-rules.js';

export class PartnerDaysQuery {
  @Text({
    max: 128,
    rule: anyPartnerRef,
    optional: true,
    description: 'The partner. Without it a client reads its own partner, master and `read` all partners',
    example: 'acme',
  })
  partner_ref?: string;
}

export class OutboundDayResponse {
  @Text({ description: 'The UTC day', example: '2026-03-01' }) day!: string;
  @Integer({ description: 'Outside recipients of messages sent on that day', example: 12 }) sent!: number;
  @Integer({ description: 'Permanent bounces of messages sent on that day', example: 1 }) bounces!: number;
  @Integer({ description: 'Complaints about messages sent on that day', example: 0 }) complaints!: number;
}

export function presentDay({ day, sent, bounces, complaints }: OutboundDay): OutboundDayResponse {
  return { day, sent, bounces, complaints };
}
