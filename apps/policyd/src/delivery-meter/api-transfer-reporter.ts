import type { MailsteadClient } from '@mailstead/client/mailstead-client';
import type { DeliveredMessage } from './delivered-message.js';
import { TransferReporter } from './transfer-reporter.js';

/** Reports over Mailstead's API, with the token of the policy daemon. */
export class ApiTransferReporter extends TransferReporter {
  constructor(private readonly client: MailsteadClient) {
    super();
  }

  /** @throws ApiProblem, or the error of `fetch`. A domain that was deleted in the meantime is no error. */
  override async report(deliveries: readonly DeliveredMessage[]): Promise<void> {
    await this.client.POST('/transfer/increments', { body: { items: [...deliveries] } });
  }
}
