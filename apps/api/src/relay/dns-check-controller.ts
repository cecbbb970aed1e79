import { Clock } from '@mailstead/core/clock';
import { resolveDomain } from '@mailstead/core/domains/resolve-domain';
import { needs } from '@mailstead/core/needs';
import { CheckDns } from '@mailstead/core/relay/check-dns';
import { FrontHostsRepository } from '@mailstead/core/relay/front-hosts';
import { NoteReader } from '@mailstead/core/relay/looks/note-reader';
import { SayFrontHosts } from '@mailstead/core/relay/looks/say-front-hosts';
import { DomainLookup } from '../domains/domain-lookup.js';
import { onlyField } from '../http/body-fields.js';
import { domainNameParam, hostNamesField } from '../http/parse.js';
import { type Controller, type Route, route } from '../http/route.js';
import {
  DnsCheckResponse,
  FrontHostsBody,
  OwnFrontHostsResponse,
  presentDnsCheck,
  presentFrontHosts,
} from './dns-check-dto.js';

@needs(DomainLookup, CheckDns, FrontHostsRepository, NoteReader, SayFrontHosts, Clock)
export class DnsCheckController implements Controller {
  constructor(
    private readonly domainLookup: DomainLookup,
    private readonly checkDns: CheckDns,
    private readonly frontHosts: FrontHostsRepository,
    private readonly noteReader: NoteReader,
    private readonly sayFrontHosts: SayFrontHosts,
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
          const { id, name } = domain;
          const said = await this.frontHosts.find(id);
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
            frontHosts: said?.hosts ?? [],
          });
          await this.noteReader.execute(found, report.looked, now);
          return presentDnsCheck(domain, report, said, now);
        },
      }),
      route({
        method: 'put',
        path: '/domains/:domain_name/front-hosts',
        access: 'client',
        summary: 'Say which hosts stand in front of the service',
        description:
          'Mail may arrive at these hosts first, such as those of a filter, because they pass it on. Then `dns-check` is `ok`, and `missing_dns` has neither `mx_elsewhere` nor `mx_mailboxes`, as long as no other host comes first too. The list replaces the former one; an empty list withdraws it. The domain is looked at at once.',
        body: FrontHostsBody,
        response: OwnFrontHostsResponse,
        run: async ({ actor, params, body }): Promise<OwnFrontHostsResponse> => {
          const name = domainNameParam(params.domain_name);
          const hosts = hostNamesField('hosts', onlyField(body, 'hosts'));
          const { said, revision } = await this.sayFrontHosts.execute(actor, name, hosts);
          return Object.assign(presentFrontHosts(said), { revision });
        },
      }),
    ];
  }
}
