import { RELAY_STATUSES, type RelayStatus } from '@mailstead/core/relay/tenants/tenants';
import { Enum, Integer, Text } from '../http/fields.js';
import { REVISION } from '../http/revision.js';

export class PartnerRelayBody {
  @Enum(RELAY_STATUSES, { description: 'Whether the relay provider is to send mail of the partner', example: 'paused' })
  status!: RelayStatus;
}

export class PartnerRelayResponse {
  @Text({ description: 'The partner', example: 'acme' }) partner_ref!: string;
  @Text({
    nullable: true,
    description: 'The name of its tenant at SES; null without one, and while `SES_TENANTS` is off',
    example: 'ms-1a2b3c4d-7',
  })
  tenant!: string | null;
  @Enum(RELAY_STATUSES, {
    nullable: true,
    description: 'What holds at the provider, when it was last read; null without a tenant',
    example: 'active',
  })
  relay_status!: RelayStatus | null;
  @Enum(RELAY_STATUSES, {
    nullable: true,
    description: 'What the master token last asked for; null before',
    example: 'active',
  })
  wanted!: RelayStatus | null;
  @Text({
    nullable: true,
    description: 'Why it is paused, in the words of the provider; null when it is not, or nothing was said',
    example: null,
  })
  cause!: string | null;
  @Integer(REVISION) revision!: number;
}
