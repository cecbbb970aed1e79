import { needs } from '@mailstead/core/needs';
import { ReadAccount } from '@mailstead/core/relay/read-account';
import { type Controller, type Route, route } from '../http/route.js';
import { presentRelay, RelayStateResponse } from './relay-account-dto.js';

@needs(ReadAccount)
export class RelayAccountController implements Controller {
  constructor(private readonly readAccount: ReadAccount) {}

  routes(): Route[] {
    return [
      route({
        method: 'get',
        path: '/relay',
        access: 'master',
        summary: 'Read the account at the relay provider, and whether its events arrive',
        response: RelayStateResponse,
        run: async () => presentRelay(await this.readAccount.execute()),
      }),
    ];
  }
}
