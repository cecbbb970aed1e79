import type { PostJson } from '@mailstead/client/post-json';
import { Batcher } from '@mailstead/core/batcher';
import { isRefusal } from './is-refusal.js';
import { SenderCheck, type SenderClaim } from './milter/sender-check.js';

/** The API's limit for one request. */
const MAX_ITEMS = 1_000;

interface Failure {
  error: unknown;
}

/** Checks the senders of many messages in one request to the API. The client's time-out applies. */
export class ApiSenderCheck extends SenderCheck {
  private readonly claims: Batcher<SenderClaim, boolean | Failure>;

  constructor(private readonly post: PostJson) {
    super();
    this.claims = new Batcher((claims) => this.flush(claims), { maxItems: MAX_ITEMS, maxInFlight: 2 });
  }

  override async mayUse(claims: readonly SenderClaim[]): Promise<boolean[]> {
    const answers = await this.claims.callAll(claims);
    return answers.map((answer) => {
      if (typeof answer === 'object') throw answer.error;
      return answer;
    });
  }

  private async flush(claims: SenderClaim[]): Promise<(boolean | Failure)[]> {
    try {
      const data = await this.post('/outbound/senders/check', { items: claims });
      if (!Array.isArray(data) || data.length !== claims.length) throw new Error('The API answered something else');
      return data.map(({ allowed }) => allowed);
    } catch (error) {
      // The batcher then sends each claim alone to find the invalid one. When the API is unavailable, all claims fail.
      if (isRefusal(error) && error.status === 422 && claims.length > 1) throw error;
      return claims.map(() => ({ error }));
    }
  }
}
