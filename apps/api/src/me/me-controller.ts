import type { PartnerRepository } from '@mailstead/core/partners/partner-repository';
import { type Controller, type Route, route } from '../http/route.js';
import { MeResponse } from './me-dto.js';

export class MeController implements Controller {
  constructor(private readonly partners: PartnerRepository) {}

  routes(): Route[] {
    return [
      route({
        method: 'get',
        path: '/me',
        access: 'any',
        summary: 'Read the caller of the token, its limits and its usage',
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
