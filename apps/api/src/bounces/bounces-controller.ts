import { needs } from '@mailstead/core/needs';
import { BounceLog } from '@mailstead/core/relay-events/bounce-log';
import { DomainLookup } from '../domains/domain-lookup.js';
import { listed } from '../http/paging.js';
import { type Controller, type Route, route } from '../http/route.js';
import { BounceResponse, BouncesQuery, presentBounce } from './bounces-dto.js';

@needs(DomainLookup, BounceLog)
export class BouncesController implements Controller {
  constructor(
    private readonly domainLookup: DomainLookup,
    private readonly bounces: BounceLog,
  ) {}

  routes(): Route[] {
    return [
      route({
        method: 'get',
        path: '/domains/:domain_name/bounces',
        access: 'client',
        summary: 'List the bounces and complaints of the last 30 days, newest first',
        description: 'Of messages that the domain sent under its present partner.',
        query: BouncesQuery,
        response: [BounceResponse],
        run: async ({ actor, params, query }) => {
          const domain = await this.domainLookup.find(actor, params.domain_name);
          return listed(
            {
              start: query.after ?? Number.MAX_SAFE_INTEGER,
              read: (before, limit) => this.bounces.page(domain, { before, limit }),
              positionAfter: ({ id }): number => id,
              atMost: query.limit ?? null,
            },
            presentBounce,
          );
        },
      }),
    ];
  }
}
