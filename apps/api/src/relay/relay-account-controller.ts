import { AppError } from '@mailstead/core/errors';
import { LONGEST_ADDRESS, parseForeignAddress } from '@mailstead/core/mailboxes/address';
import { needs } from '@mailstead/core/needs';
import { LiftAccountSuppression } from '@mailstead/core/relay/lift-account-suppression';
import { ReadAccount } from '@mailstead/core/relay/read-account';
import { type Controller, type Route, route } from '../http/route.js';
import { LiftedResponse, presentRelay, RelayStateResponse } from './relay-account-dto.js';

@needs(ReadAccount, LiftAccountSuppression)
export class RelayAccountController implements Controller {
  constructor(
    private readonly readAccount: ReadAccount,
    private readonly liftSuppression: LiftAccountSuppression,
  ) {}

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
      route({
        method: 'delete',
        path: '/relay/suppressions/:address',
        access: 'master',
        summary: 'Take an address off the list of addresses to which the account at the relay provider does not send',
        description:
          'A job does it at the provider. The list is that of the whole account, so it holds for the domains of all partners. The address is written as the provider has it: capital letters differ.',
        response: LiftedResponse,
        status: 202,
        run: async ({ actor, params }) => {
          const address = accountAddress(params.address);
          await this.liftSuppression.execute(actor, address);
          return { address } satisfies LiftedResponse;
        },
      }),
    ];
  }
}

/** The provider knows A-labels only, so a domain in Unicode is read; what is ASCII stays as it is. */
function accountAddress(given: string): string {
  const text = /^[!-~]*$/.test(given) ? given : (parseForeignAddress(given)?.address ?? '');
  if (text.length <= LONGEST_ADDRESS && /^[!-~][!-?A-~]*@[!-~]+$/.test(text)) return text;
  throw new AppError('suppression_not_found');
}
