import type { MailsteadClient } from '@mailstead/client';
import { SenderCheck, type SenderClaim } from './milter/sender-check.js';

/** Asks the API; the client's time-out is the bound. */
export class ApiSenderCheck extends SenderCheck {
  constructor(private readonly client: MailsteadClient) {
    super();
  }

  override async mayUse(claims: readonly SenderClaim[]): Promise<boolean[]> {
    const { data } = await this.client.POST('/outbound/senders/check', { body: { items: [...claims] } });
    if (!Array.isArray(data) || data.length !== claims.length) throw new Error('The API answered something else');
    return data.map(({ allowed }) => allowed);
  }
}
