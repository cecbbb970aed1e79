import { Clock } from '@mailstead/core/clock';
import { needs } from '@mailstead/core/needs';
import { ReadRelayStatus } from '@mailstead/core/relay/read-relay-status';
import { StartVerification } from '@mailstead/core/relay/start-verification';
import { DomainLookup } from '../domains/domain-lookup.js';
import { domainNameParam } from '../http/parse.js';
import { type Controller, type Route, route } from '../http/route.js';
import { presentRelayStatus, RelayStatusResponse } from './relay-dto.js';

@needs(DomainLookup, StartVerification, ReadRelayStatus, Clock)
export class RelayController implements Controller {
  constructor(
    private readonly domainLookup: DomainLookup,
    private readonly startVerification: StartVerification,
    private readonly readRelayStatus: ReadRelayStatus,
    private readonly clock: Clock,
  ) {}

  routes(): Route[] {
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
          await this.startVerification.execute(actor, name);
          return presentRelayStatus(await this.domainLookup.findWithParent(actor, name), this.clock.now());
        },
      }),
      route({
        method: 'get',
        path: '/domains/:domain_name/relay-status',
        access: 'client',
        dnsLink: true,
        scopes: ['policy', 'billing'],
        summary: 'Read the verification status of a domain and the DNS records that verify it',
        description:
          '`GET /domains/{domain_name}/dns-check` has all records to publish, those of MX and SPF too, and compares them with the DNS.',
        response: RelayStatusResponse,
        run: async ({ actor, params }) =>
          presentRelayStatus(
            await this.readRelayStatus.execute(actor, domainNameParam(params.domain_name)),
            this.clock.now(),
          ),
      }),
    ];
  }
}
