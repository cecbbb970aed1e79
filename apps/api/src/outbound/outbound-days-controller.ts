import { Clock } from '@mailstead/core/clock';
import { needs } from '@mailstead/core/needs';
import type { Actor } from '@mailstead/core/operators/actor';
import { OutboundReader } from '@mailstead/core/outbound/outbound-reader';
import { PartnerRepository } from '@mailstead/core/partners/partner-repository';
import { DomainLookup } from '../domains/domain-lookup.js';
import { partnerRefQuery } from '../http/parse.js';
import { type Controller, type Route, route } from '../http/route.js';
import { OutboundDayResponse, PartnerDaysQuery, presentDay } from './outbound-days-dto.js';

/** The id of no partner: its days are those of a partner that has sent nothing. */
const NOBODY = 0;
const ALL = 'all';

/** Routes for what was sent on each of the last days. */
@needs(DomainLookup, PartnerRepository, OutboundReader, Clock)
export class OutboundDaysController implements Controller {
  constructor(
    private readonly domainLookup: DomainLookup,
    private readonly partners: PartnerRepository,
    private readonly reader: OutboundReader,
    private readonly clock: Clock,
  ) {}

  routes(): Route[] {
    return [
      route({
        method: 'get',
        path: '/domains/:domain_name/outbound/days',
        access: 'client',
        summary: 'List what a domain sent on each of the last 30 UTC days, oldest first',
        description: 'The last day is today. A day without mail has zeros.',
        response: [OutboundDayResponse],
        run: async ({ actor, params }) => {
          const { id } = await this.domainLookup.find(actor, params.domain_name);
          return (await this.reader.days(id, this.clock.now())).map(presentDay);
        },
      }),
      route({
        method: 'get',
        path: '/outbound/days',
        access: 'client',
        wholePartner: true,
        summary: 'List what a partner, or all, sent on each of the last 30 UTC days, oldest first',
        description:
          'What its domains sent while they were its domains; what is moved, deleted or restored later changes nothing. Master and `read` get the sums of all partners, and of domains without one, when they name no partner. The last day is today. A partner without mail has zeros.',
        query: PartnerDaysQuery,
        response: [OutboundDayResponse],
        run: async ({ actor, query }) => {
          const partnerId = await this.partnerIdOf(actor, query.partner_ref);
          const now = this.clock.now();
          const days = partnerId === ALL ? this.reader.allDays(now) : this.reader.partnerDays(partnerId, now);
          return (await days).map(presentDay);
        },
      }),
    ];
  }

  /** A client that names another partner reads the same as for a partner that does not exist. */
  private async partnerIdOf(actor: Actor, text: string | undefined): Promise<number | typeof ALL> {
    const ref = text === undefined ? undefined : partnerRefQuery('partner_ref', text);
    if (actor.kind === 'client') return ref === undefined || ref === actor.partnerRef ? actor.partnerId : NOBODY;
    if (ref === undefined) return ALL;
    return (await this.partners.find(ref))?.id ?? NOBODY;
  }
}
