import { Clock } from '@mailstead/core/clock';
import { resolveDomain } from '@mailstead/core/domains/resolve-domain';
import { needs } from '@mailstead/core/needs';
import { CheckDns, isDnsOk } from '@mailstead/core/relay/check-dns';
import { DomainLookup } from '../domains/domain-lookup.js';
import { type Controller, type Route, route } from '../http/route.js';
import { timestamp } from '../http/timestamp.js';
import { DnsCheckResponse } from './dns-check-dto.js';

@needs(DomainLookup, CheckDns, Clock)
export class DnsCheckController implements Controller {
  constructor(
    private readonly domainLookup: DomainLookup,
    private readonly checkDns: CheckDns,
    private readonly clock: Clock,
  ) {}

  routes(): Route[] {
    return [
      route({
        method: 'get',
        path: '/domains/:domain_name/dns-check',
        access: 'client',
        dnsLink: true,
        scopes: ['billing'],
        summary: "Check a domain's DNS records",
        response: DnsCheckResponse,
        run: async ({ actor, params }): Promise<DnsCheckResponse> => {
          const found = await this.domainLookup.findWithParent(actor, params.domain_name);
          const { domain, verification } = found;
          const { name } = domain;
          const { ownershipToken, ownershipRequired, ownershipSeenAt, records, lastError } = verification;
          const checks = await this.checkDns.execute({
            name,
            ownershipToken,
            ownershipRequired,
            records,
            relayFailure: lastError,
            verifiedBy: resolveDomain(found, this.clock.now()).verifiedBy,
            isProofMissing: ownershipRequired && ownershipSeenAt === null && domain.inbound === 'pending',
          });
          return { name, ok: isDnsOk(checks), checked_at: timestamp(this.clock.now()), checks };
        },
      }),
    ];
  }
}
