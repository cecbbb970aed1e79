import { Clock } from '@mailstead/core/clock';
import { resolveDomain } from '@mailstead/core/domains/resolve-domain';
import { needs } from '@mailstead/core/needs';
import { CheckDns } from '@mailstead/core/relay/check-dns';
import { NoteReader } from '@mailstead/core/relay/looks/note-reader';
import { DomainLookup } from '../domains/domain-lookup.js';
import { type Controller, type Route, route } from '../http/route.js';
import { DnsCheckResponse, presentDnsCheck } from './dns-check-dto.js';

@needs(DomainLookup, CheckDns, NoteReader, Clock)
export class DnsCheckController implements Controller {
  constructor(
    private readonly domainLookup: DomainLookup,
    private readonly checkDns: CheckDns,
    private readonly noteReader: NoteReader,
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
        description:
          'Has all records to publish, those of `relay-status` too, as DNS providers ask for them, with the state of each.',
        response: DnsCheckResponse,
        run: async ({ actor, params }): Promise<DnsCheckResponse> => {
          const found = await this.domainLookup.findWithParent(actor, params.domain_name);
          const now = this.clock.now();
          const { domain, verification } = found;
          const { name } = domain;
          const { ownershipToken, ownershipRequired, ownershipSeenAt, records, lastError, isDkimConfirmed } =
            verification;
          const report = await this.checkDns.execute({
            name,
            ownershipToken,
            ownershipRequired,
            records,
            relayFailure: lastError,
            isDkimConfirmed,
            verifiedBy: resolveDomain(found, now).verifiedBy,
            isProofMissing: ownershipRequired && ownershipSeenAt === null && domain.inbound === 'pending',
          });
          await this.noteReader.execute(found, report.looked, now);
          return presentDnsCheck(name, report, now);
        },
      }),
    ];
  }
}
