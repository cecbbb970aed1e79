import { Clock } from '@mailstead/core/clock';
import { AppError } from '@mailstead/core/errors';
import { needs } from '@mailstead/core/needs';
import type { Actor } from '@mailstead/core/operators/actor';
import { ChangePartner, type PartnerChanges } from '@mailstead/core/partner-changes/change-partner';
import { SuspendPartner, type SuspendPartnerCommand } from '@mailstead/core/partner-changes/suspend-partner';
import { PartnerFinder } from '@mailstead/core/partners/partner-finder';
import { PartnerRepository, type PartnerSummary } from '@mailstead/core/partners/partner-repository';
import type { OperatorCause } from '@mailstead/core/partners/partner-suspension';
import { type EveryFieldOf, onlyField } from '../http/body-fields.js';
import { refuseForeignMessage } from '../http/operator-message.js';
import { counted, walked } from '../http/paging.js';
import { partnerRefParam, partnerRefQuery } from '../http/parse.js';
import { type Controller, type Route, route } from '../http/route.js';
import {
  ActivatePartnerBody,
  PartnerResponse,
  PartnerStateResponse,
  PartnersQuery,
  presentPartner,
  presentPartnerState,
  SuspendPartnerBody,
  UpdatePartnerBody,
} from './partners-dto.js';

@needs(PartnerRepository, PartnerFinder, ChangePartner, SuspendPartner, Clock)
export class PartnersController implements Controller {
  constructor(
    private readonly partners: PartnerRepository,
    private readonly finder: PartnerFinder,
    private readonly changePartner: ChangePartner,
    private readonly suspendPartner: SuspendPartner,
    private readonly clock: Clock,
  ) {}

  routes(): Route[] {
    return [
      route({
        method: 'get',
        path: '/partners/',
        access: 'master',
        summary: 'List partners by reference',
        query: PartnersQuery,
        response: [PartnerResponse],
        run: ({ query }) => {
          const search = this.finder.search(query.filter(), this.clock.now());
          const start: string = query.after === undefined ? '' : partnerRefQuery('after', query.after);
          const list = walked(
            {
              start,
              read: (after, rows) => search.next(after, rows),
              positionAfter: ({ ref }) => ref,
              atMost: query.limit ?? null,
            },
            presentPartner,
          );
          return counted(query, list, search.count);
        },
      }),
      route({
        method: 'get',
        path: '/partners/:partner_ref',
        access: 'master',
        summary: 'Read the domains, mailboxes, aliases and keys in use by a partner',
        response: PartnerResponse,
        run: async ({ params }) => {
          const summary = await this.partners.summary(partnerRefParam(params.partner_ref));
          if (summary === null) throw new AppError('partner_not_found');
          return this.withState(summary);
        },
      }),
      route({
        method: 'put',
        path: '/partners/:partner_ref',
        access: 'master',
        summary: 'Set the name and the reference of a partner',
        body: UpdatePartnerBody,
        bodyOptional: true,
        response: PartnerResponse,
        run: async ({ actor, params, body }) => {
          const changes = {
            externalRef: body.external_ref,
            name: body.name,
          } satisfies EveryFieldOf<UpdatePartnerBody, PartnerChanges>;
          return this.withState(await this.changePartner.execute(actor, partnerRefParam(params.partner_ref), changes));
        },
      }),
      route({
        method: 'put',
        path: '/partners/:partner_ref/suspend',
        access: 'master',
        scopes: ['billing'],
        summary: 'Suspend a partner; no mail is lost',
        body: SuspendPartnerBody,
        bodyOptional: true,
        response: PartnerStateResponse,
        run: async ({ actor, params, body }) => {
          const ref = partnerRefParam(params.partner_ref);
          refuseForeignCause(actor, body.cause);
          refuseForeignMessage(actor, body.message);
          const command = {
            cause: body.cause ?? 'operator',
            stage: body.stage ?? 'all',
            message: body.message,
          } satisfies EveryFieldOf<SuspendPartnerBody, SuspendPartnerCommand>;
          return presentPartnerState(ref, await this.suspendPartner.suspend(actor, ref, command));
        },
      }),
      route({
        method: 'put',
        path: '/partners/:partner_ref/activate',
        access: 'master',
        scopes: ['billing'],
        summary: 'Lift the suspension of a partner, or one cause of it',
        body: ActivatePartnerBody,
        bodyOptional: true,
        response: PartnerStateResponse,
        run: async ({ actor, params, body }) => {
          const ref = partnerRefParam(params.partner_ref);
          const cause = onlyField(body, 'cause');
          refuseForeignCause(actor, cause);
          return presentPartnerState(ref, await this.suspendPartner.activate(actor, ref, cause ?? null));
        },
      }),
    ];
  }

  private async withState(summary: PartnerSummary): Promise<PartnerResponse> {
    return presentPartner({ ...summary, state: await this.finder.state(summary.id, this.clock.now()) });
  }
}

/** Master may name any cause, the billing scope only `billing`. @throws AppError scope_not_allowed */
function refuseForeignCause(actor: Actor, cause: OperatorCause = 'billing'): void {
  if (actor.kind === 'operator' && cause !== 'billing') throw new AppError('scope_not_allowed');
}
