import type { MailsteadClient } from '@mailstead/client/mailstead-client';
import type { DeliveredMessage } from './delivered-message.js';
import { TransferReporter } from './transfer-reporter.js';

/** Reports over Mailstead's API, with the token of the policy daemon. */
export class ApiTransferReporter extends TransferReporter {
  constructor(private readonly client: MailsteadClient) {
    super();
  }

  /** Throws ApiProblem, or the error of `fetch`. A domain that was deleted since is no error: nobody's transfer is left to count. */
  override async report(deliveries: readonly DeliveredMessage[]): Promise<void> {
    await this.client.POST('/transfer/increments', { body: { items: [...deliveries] } });
  }
}
