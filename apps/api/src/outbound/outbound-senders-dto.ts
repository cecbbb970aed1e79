import { Bool, Integer, ListOf, Text } from '../http/fields.js';

const MAX_ITEMS = 1_000;
const MAX_ADDRESS = 254;

export class SenderCheckItem {
  @Text({ max: MAX_ADDRESS, description: 'The mailbox that logged in', example: 'info@example.com' })
  login!: string;

  @Text({ max: MAX_ADDRESS, description: 'The address it would send from', example: 'sales@example.com' })
  address!: string;
}

export class SenderChecksBody {
  @ListOf(SenderCheckItem, { min: 1, max: MAX_ITEMS, description: 'The pairs, at most 1,000' })
  items!: SenderCheckItem[];
}

export class SenderCheckResponse {
  @Text({ description: 'The login of the item', example: 'info@example.com' }) login!: string;
  @Text({ description: 'The address of the item', example: 'sales@example.com' }) address!: string;
  @Bool({ description: 'Whether the login may use the address in MAIL FROM, by the same rule that Postfix applies' })
  allowed!: boolean;
}

export class SenderResponse {
  @Text({ description: 'The login that sent', example: 'info@example.com' }) sender!: string;
  @Integer({ description: 'Outside recipients of messages sent today (UTC) through this domain', example: 12 })
  sent_today!: number;
  @Integer({
    nullable: true,
    description:
      'The daily limit, which counts what the mailbox sent through all domains. 0 is unlimited; null when the sender is not a mailbox of the partner',
    example: 100,
  })
  outbound_daily_limit!: number | null;
}
