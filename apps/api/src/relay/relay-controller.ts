import type { Clock } from '@mailstead/core/clock';
import type { DomainRepository } from '@mailstead/core/domains/domain-repository';
import { AppError } from '@mailstead/core/errors';
import { scopeOf } from '@mailstead/core/operators/actor';
import type { ReadRelayStatus } from '@mailstead/core/relay/read-relay-status';
import type { StartVerification } from '@mailstead/core/relay/start-verification';
import { domainNameParam } from '../http/parse.js';
import { type Route, route } from '../http/route.js';
import { presentRelayStatus, RelayStatusResponse } from './relay-dto.js';

export interface RelayUseCases {
  domains: DomainRepository;
  startVerification: StartVerification;
  readRelayStatus: ReadRelayStatus;
  clock: Clock;
}

export function relayController(use: RelayUseCases): Route[] {
  return [
    route({
      method: 'post',
      path: '/domains/:domain_name/relay-verify',
      access: 'master',
      summary: 'Start the verification of a domain at the relay provider',
      response: RelayStatusResponse,
      status: 202,
      run: async ({ actor, params }) => {
        const name = domainNameParam(params.domain_name);
        await use.startVerification.execute(actor, name);
        const record = await use.domains.findWithParent(scopeOf(actor), name);
        if (record === null) throw new AppError('domain_not_found');
        return presentRelayStatus(record, use.clock.now());
      },
    }),
    route({
      method: 'get',
      path: '/domains/:domain_name/relay-status',
      access: 'client',
      scopes: ['policy'],
      summary: 'Read the verification state and the DNS records to publish',
      response: RelayStatusResponse,
      run: async ({ actor, params }) =>
        presentRelayStatus(
          await use.readRelayStatus.execute(actor, domainNameParam(params.domain_name)),
          use.clock.now(),
        ),
    }),
  ];
}
