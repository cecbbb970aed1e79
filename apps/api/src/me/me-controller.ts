import type { PartnerRepository } from '@mailstead/core/partners/partner-repository';
import { Enum, Integer, Nested, Text } from '../http/fields.js';
import { type Controller, type Route, route } from '../http/route.js';

class LimitsResponse {
  @Integer() domains_allowed!: number;
  @Integer() mailboxes_per_domain!: number;
  @Integer() aliases_per_mailbox!: number;
}

class MeResponse {
  @Enum(['master', 'operator', 'client']) kind!: string;
  @Text({ nullable: true }) name!: string | null;
  @Text({ nullable: true }) scope!: string | null;
  @Text({ nullable: true }) partner_ref!: string | null;
  @Nested(LimitsResponse, { nullable: true }) limits!: LimitsResponse | null;
  @Integer({ nullable: true }) domains_used!: number | null;
}

export class MeController implements Controller {
  constructor(private readonly partners: PartnerRepository) {}

  routes(): Route[] {
    return [
      route({
        method: 'get',
        path: '/me',
        access: 'any',
        summary: 'Tell who the token is, its limits and what is used of them',
        response: MeResponse,
        run: async ({ actor }): Promise<MeResponse> => {
          if (actor.kind !== 'client') {
            const scope = actor.kind === 'operator' ? actor.scope : null;
            return { kind: actor.kind, name: actor.name, scope, partner_ref: null, limits: null, domains_used: null };
          }
          const { key } = actor;
          const summary = await this.partners.summary(key.partnerRef);
          return {
            kind: 'client',
            name: null,
            scope: null,
            partner_ref: key.partnerRef,
            limits: {
              domains_allowed: key.domainsAllowed,
              mailboxes_per_domain: key.mailboxesPerDomain,
              aliases_per_mailbox: key.aliasesPerMailbox,
            },
            domains_used: summary?.domainsUsed ?? 0,
          };
        },
      }),
    ];
  }
}
