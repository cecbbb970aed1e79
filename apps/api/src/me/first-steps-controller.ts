import { Clock } from '@mailstead/core/clock';
import { FirstFactsReader } from '@mailstead/core/first-steps/first-facts-reader';
import { needs } from '@mailstead/core/needs';
import { scopeOf } from '@mailstead/core/operators/actor';
import { partnerRefQuery } from '../http/parse.js';
import { type Controller, type Route, route } from '../http/route.js';
import { FirstStepsQuery, FirstStepsResponse, presentFirstSteps } from './first-steps-dto.js';

/** How far the caller is until its first message. */
@needs(FirstFactsReader, Clock)
export class FirstStepsController implements Controller {
  constructor(
    private readonly facts: FirstFactsReader,
    private readonly clock: Clock,
  ) {}

  routes(): Route[] {
    return [
      route({
        method: 'get',
        path: '/me/first-steps',
        access: 'client',
        scopes: ['billing'],
        summary: 'Tell which steps until the first message are done, and which domain to go on with',
        description:
          'Costs the same however many domains there are. Of the domains with a mailbox some are looked at, so where most of these are not verified, a verified one without a mailbox may be returned.',
        query: FirstStepsQuery,
        response: FirstStepsResponse,
        run: async ({ actor, query }) => {
          const ref = query.partner_ref;
          const partnerRef = ref === undefined ? undefined : partnerRefQuery('partner_ref', ref);
          return presentFirstSteps(await this.facts.read(scopeOf(actor), partnerRef, this.clock.now()));
        },
      }),
    ];
  }
}
