import { Bool, Integer, ListOf, ListOfText, Text } from '../http/fields.js';

const MAX_DOMAINS = 1_000;

export class QueuedDomainsBody {
  @ListOfText({
    min: 1,
    max: MAX_DOMAINS,
    description: 'The domains of senders and recipients of queued mail, at most 1,000',
    example: ['example.com'],
  })
  domains!: string[];
}

export class QueuedDomainResponse {
  @Text({ description: 'The domain as it was asked about', example: 'example.com' }) domain!: string;
  @Bool({ description: 'Whether its mail is delivered on this platform' }) hosted!: boolean;
  @Bool({ description: 'Whether mail of its users to the outside waits because of a suspension' })
  sending_waits!: boolean;
  @Bool({ description: 'Whether mail to it waits because of a suspension' }) receiving_waits!: boolean;
}

export class WaitingMailItem {
  @Text({ max: 1_000, description: 'The suspended domain', example: 'example.com' }) domain!: string;
  @Integer({ min: 1, max: 1_000_000_000, description: 'Messages that wait', example: 3 }) messages!: number;
  @Integer({
    min: 0,
    max: 10_000_000_000,
    description: 'How long the oldest of them has been in the queue, seconds',
    example: 350_000,
  })
  waiting_seconds!: number;
}

export class WaitingMailBody {
  @ListOf(WaitingMailItem, { min: 1, max: MAX_DOMAINS, description: 'One item for each domain, at most 1,000' })
  items!: WaitingMailItem[];
}

export class WaitingMailResponse {
  @Text({ description: 'The domain of the item', example: 'example.com' }) domain!: string;
  @Bool({ description: 'Whether `attention` of the domain has `mail_waiting`' }) attention!: boolean;
}
