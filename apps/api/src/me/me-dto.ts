import { Enum, Integer, Nested, Text } from '../http/fields.js';

class LimitsResponse {
  @Integer() domains_allowed!: number;
  @Integer() mailboxes_per_domain!: number;
  @Integer() aliases_per_mailbox!: number;
}

export class MeResponse {
  @Enum(['master', 'operator', 'client']) kind!: string;
  @Text({ nullable: true }) name!: string | null;
  @Text({ nullable: true }) scope!: string | null;
  @Text({ nullable: true }) partner_ref!: string | null;
  @Nested(LimitsResponse, { nullable: true }) limits!: LimitsResponse | null;
  @Integer({ nullable: true }) domains_used!: number | null;
}
