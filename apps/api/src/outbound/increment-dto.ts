import { Nested, Text } from '../http/fields.js';
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
    description: 'The value of `X-SES-TENANT`; null now, because there are no SES tenants',
    example: null,
  })
  tenant!: string | null;
}

export class IncrementResponse extends VerdictResponse {
  @Nested(RelayFieldsResponse, {
    optional: true,
    nullable: true,
    description:
      'What the mail server writes into the header of the message for the relay; null with a relay other than SES. Left out with the reasons `domain_not_found`, `increment_id_reused` and `counter_overflow`',
  })
  relay?: RelayFieldsResponse | null;
}
