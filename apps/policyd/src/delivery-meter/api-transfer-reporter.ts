import type { PostJson } from '@mailstead/client/post-json';
import { type Transfer, TransferReporter } from './transfer-reporter.js';

/** Reports transfers to the API with the policy daemon's token. */
export class ApiTransferReporter extends TransferReporter {
  constructor(private readonly post: PostJson) {
    super();
  }

  /** Transfers of deleted domains are ignored. @throws ApiProblem, or the error of the connection. */
  override async report(transfers: readonly Transfer[]): Promise<void> {
    await this.post('/transfer/increments', { items: [...transfers] });
  }
}
