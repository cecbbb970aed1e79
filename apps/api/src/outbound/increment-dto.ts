import { Integer, Nested, Text } from '../http/fields.js';
import { VerdictResponse } from './outbound-dto.js';

export class RelayFieldsResponse {
  @Text({
    nullable: true,
    description:
      "The value of `X-SES-CONFIGURATION-SET`; null when the domain's identity has the set, and while the last check of the account found no such set",
    example: 'mailstead',
  })
  configuration_set!: string | null;

  @Text({
    nullable: true,
    description:
      "The value of `X-SES-TENANT`; null while `SES_TENANTS` is off, and until SES has confirmed the domain's identity in the tenant of its partner",
    example: 'ms-1a2b3c4d-7',
  })
  tenant!: string | null;
}

export class IncrementResponse extends VerdictResponse {
  @Nested(RelayFieldsResponse, {
    optional: true,
    nullable: true,
    description:
      'What the mail server writes into the header of the message for the relay; null with a relay other than SES. Left out with the reasons `restore_not_accepted`, `domain_not_found`, `increment_id_reused` and `counter_overflow`',
  })
  relay?: RelayFieldsResponse | null;

  @Integer({
    optional: true,
    nullable: true,
    description:
      'Number of further outside recipients that the limits allow after this item, as in a look; null when no limit is enforced. Left out with the same reasons as `relay`',
    example: 187,
  })
  headroom?: number | null;
}
