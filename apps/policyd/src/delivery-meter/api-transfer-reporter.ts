import type { PostJson } from '@mailstead/client/post-json';
import type { DeliveredMessage } from './delivered-message.js';
import { TransferReporter } from './transfer-reporter.js';

/** Reports deliveries to the API with the policy daemon's token. */
export class ApiTransferReporter extends TransferReporter {
  constructor(private readonly post: PostJson) {
    super();
  }

  /** Deliveries to deleted domains are ignored. @throws ApiProblem, or the error of the connection. */
  override async report(deliveries: readonly DeliveredMessage[]): Promise<void> {
    await this.post('/transfer/increments', { items: [...deliveries] });
  }
}
