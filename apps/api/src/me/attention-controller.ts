import { Clock } from '@mailstead/core/clock';
import { DomainStates } from '@mailstead/core/domain-states/domain-states';
import { DomainFinder } from '@mailstead/core/domains/domain-finder';
import { needs } from '@mailstead/core/needs';
import { scopeOf } from '@mailstead/core/operators/actor';
import { partnerRefQuery } from '../http/parse.js';
import { type Controller, type Route, route } from '../http/route.js';
import { AttentionQuery, AttentionResponse, presentAttention } from './attention-dto.js';

/** What needs the attention of the caller. */
@needs(DomainFinder, DomainStates, Clock)
export class AttentionController implements Controller {
  constructor(
    private readonly finder: DomainFinder,
    private readonly states: DomainStates,
    private readonly clock: Clock,
  ) {}

  routes(): Route[] {
    return [
      route({
        method: 'get',
        path: '/me/attention',
        access: 'client',
        scopes: ['billing'],
        summary: 'Count the domains that need attention, by reason, the most severe first',
        description:
          'A domain with several reasons is counted for each. A reason that no domain has is left out. `GET /domains/?attention_reason=` lists the domains of a reason.',
        query: AttentionQuery,
        response: [AttentionResponse],
        run: async ({ actor, query }) => {
          const ref = query.partner_ref;
          const partnerRef = ref === undefined ? undefined : partnerRefQuery('partner_ref', ref);
          const now = this.clock.now();
          const needing = await this.finder.needing(scopeOf(actor), { partnerRef }, now);
          const stated = await this.states.ofNeeding(needing, now);
          return stated.map((each) => presentAttention(each, now, actor.kind === 'client'));
        },
      }),
    ];
  }
}
