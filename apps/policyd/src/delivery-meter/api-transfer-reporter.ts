import type { MailsteadClient } from '@mailstead/client/mailstead-client';
import type { DeliveredMessage } from './delivered-message.js';
import { TransferReporter } from './transfer-reporter.js';

/** Reports deliveries to the API with the policy daemon's token. */
export class ApiTransferReporter extends TransferReporter {
  constructor(private readonly client: MailsteadClient) {
    super();
  }

  /** Deliveries to deleted domains are ignored. @throws ApiProblem, or the error of `fetch`. */
  override async report(deliveries: readonly DeliveredMessage[]): Promise<void> {
    await this.client.POST('/transfer/increments', { body: { items: [...deliveries] } });
  }
}
