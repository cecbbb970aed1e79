import { BrandOfLink } from '@mailstead/core/brands/brand-of-link';
import { Clock } from '@mailstead/core/clock';
import { DomainRepository } from '@mailstead/core/domains/domain-repository';
import { needs } from '@mailstead/core/needs';
import type { Actor } from '@mailstead/core/operators/actor';
import type { Caller, Client } from '@mailstead/core/operators/caller';
import { Demo } from '@mailstead/core/operators/demo';
import { OutboundReader } from '@mailstead/core/outbound/outbound-reader';
import { PartnerRepository } from '@mailstead/core/partners/partner-repository';
import { presentShownBrand } from '../brands/brand-dto.js';
import { ServedRoutes } from '../docs/served-routes.js';
import { mayUse } from '../http/authorize.js';
import { operationIdOf } from '../http/openapi/operation.js';
import type { MeResponse } from './me-dto.js';

type Usage = Pick<MeResponse, 'partners' | 'domains_used' | 'mailboxes' | 'aliases' | 'sent_today' | 'sent_this_month'>;

const NO_USAGE: Usage = {
  partners: null,
  domains_used: null,
  mailboxes: null,
  aliases: null,
  sent_today: null,
  sent_this_month: null,
};

/** Describes a caller to itself: what it may do, and what its partner uses; for who reads everything, all partners. */
@needs(PartnerRepository, DomainRepository, BrandOfLink, OutboundReader, ServedRoutes, Clock, Demo)
export class DescribeCaller {
  constructor(
    private readonly partners: PartnerRepository,
    private readonly domains: DomainRepository,
    private readonly brands: BrandOfLink,
    private readonly outbound: OutboundReader,
    private readonly served: ServedRoutes,
    private readonly clock: Clock,
    private readonly demo: Demo,
  ) {}

  async execute(caller: Caller | Actor): Promise<MeResponse> {
    const { kind } = caller;
    const demo = this.demo.isDemo ? { demo: true } : {};
    const may = kind === 'system' ? [] : this.allowedTo(caller);
    if (kind === 'client') return { kind, name: null, ...(await this.client(caller)), may, ...demo };
    const scope = kind === 'operator' ? caller.scope : null;
    return {
      kind,
      name: caller.name,
      scope,
      partner_ref: null,
      partner_stage: null,
      key_id: null,
      link: null,
      domains: null,
      brand: null,
      limits: null,
      ...(kind === 'master' || scope === 'read' ? await this.usageOfAll() : NO_USAGE),
      may,
      ...demo,
    };
  }

  /** By the check that each request passes. Public routes are for everybody. */
  private allowedTo(caller: Caller): string[] {
    return this.served.all.filter((route) => mayUse(caller, route)).map(operationIdOf);
  }

  private async client(client: Client): Promise<Omit<MeResponse, 'kind' | 'name' | 'may'>> {
    const { credential, scope, partnerRef, partnerStage, limits } = client;
    // A `dns` link is for a stranger to the partner: it tells the domain, and nothing of the partner.
    const isStranger = credential.kind === 'link' && credential.use === 'dns';
    return {
      scope,
      partner_ref: isStranger ? null : partnerRef,
      partner_stage: isStranger ? null : partnerStage,
      key_id: credential.kind === 'key' ? credential.id : null,
      link: credential.kind === 'link' ? credential.use : null,
      domains: await this.domainNames(client),
      brand: presentShownBrand(await this.brands.read(client)),
      limits: isStranger
        ? null
        : {
            domains_allowed: limits.domainsAllowed,
            mailboxes_per_domain: limits.mailboxesPerDomain,
            aliases_per_mailbox: limits.aliasesPerMailbox,
          },
      ...(await this.usage(client)),
    };
  }

  private async domainNames(client: Client): Promise<string[] | null> {
    const { domainIds } = client;
    if (domainIds === null) return null;
    const domains = await this.domains.page(client, {}, { after: 0, limit: domainIds.length });
    return domains.map(({ name }) => name);
  }

  private async usage({ partnerId, partnerRef, domainIds }: Client): Promise<Usage> {
    if (domainIds !== null || partnerRef === null) return NO_USAGE;
    const summary = await this.partners.summary(partnerRef);
    const sent = await this.outbound.partnerSent(partnerId, this.clock.now());
    return {
      partners: null,
      domains_used: summary?.domainsUsed ?? 0,
      mailboxes: summary?.mailboxes ?? 0,
      aliases: summary?.aliases ?? 0,
      sent_today: sent.sentToday,
      sent_this_month: sent.sentThisMonth,
    };
  }

  /** What all sent today is the last of the kept days: a reset on request does not lower it. */
  private async usageOfAll(): Promise<Usage> {
    const { partners, domains, mailboxes, aliases } = await this.partners.totals();
    const days = await this.outbound.allDays(this.clock.now());
    return {
      partners,
      domains_used: domains,
      mailboxes,
      aliases,
      sent_today: days.at(-1)?.sent ?? 0,
      sent_this_month: null,
    };
  }
}
