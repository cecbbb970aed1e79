import { Clock } from '@mailstead/core/clock';
import { AppError } from '@mailstead/core/errors';
import { needs } from '@mailstead/core/needs';
import type { Actor } from '@mailstead/core/operators/actor';
import type { PartnerRef } from '@mailstead/core/partners/partner';
import { PartnerRepository } from '@mailstead/core/partners/partner-repository';
import { ChangeWebhook, type CreateWebhookCommand, type WebhookChanges } from '@mailstead/core/webhooks/change-webhook';
import { ProbeWebhook } from '@mailstead/core/webhooks/probe-webhook';
import { RedeliverWebhook } from '@mailstead/core/webhooks/redeliver-webhook';
import { WebhookEndpoints } from '@mailstead/core/webhooks/webhook-endpoints';
import { WebhookLocks } from '@mailstead/core/webhooks/webhook-locks';
import { type EveryFieldOf, onlyField } from '../http/body-fields.js';
import { PartnerFilterQuery, page } from '../http/paging.js';
import { type Controller, type Route, route } from '../http/route.js';
import {
  CreateWebhookBody,
  NewWebhookEndpointResponse,
  ProbeResponse,
  presentAttempt,
  presentWebhook,
  RedeliverBody,
  RedeliveryResponse,
  RotateWebhookBody,
  UpdateWebhookBody,
  WebhookAttemptResponse,
  WebhookEndpointResponse,
} from './webhook-endpoints-dto.js';

const OVERLAP_HOURS = 24;
const PROBES =
  'Challenges and tests together: once in 5 seconds an endpoint, 60 an hour a partner, 10 an hour for a host over all partners; otherwise 429.';

/** The addresses to which events are pushed: a partner's own, and those of the operators. */
@needs(WebhookEndpoints, WebhookLocks, ChangeWebhook, ProbeWebhook, RedeliverWebhook, PartnerRepository, Clock)
export class WebhookEndpointsController implements Controller {
  constructor(
    private readonly endpoints: WebhookEndpoints,
    private readonly locks: WebhookLocks,
    private readonly changeWebhook: ChangeWebhook,
    private readonly probeWebhook: ProbeWebhook,
    private readonly redeliverWebhook: RedeliverWebhook,
    private readonly partners: PartnerRepository,
    private readonly clock: Clock,
  ) {}

  routes(): Route[] {
    return [...this.records(), ...this.changes(), ...this.deliveries()];
  }

  private records(): Route[] {
    return [
      route({
        method: 'get',
        path: '/webhook-endpoints',
        access: 'client',
        wholePartner: true,
        summary: 'List the endpoints that events are pushed to',
        description: "Master and `read` see the operators' own; with `partner_ref` those of a partner.",
        query: PartnerFilterQuery,
        response: [WebhookEndpointResponse],
        run: async ({ actor, query }) => {
          const owner = await this.ownerOf(actor, query.filter(actor).partnerRef);
          return page(query, async (at) => (owner === 'nobody' ? [] : this.endpoints.list(owner, at)), presentWebhook);
        },
      }),
      route({
        method: 'get',
        path: '/webhook-endpoints/:endpoint_id',
        access: 'client',
        wholePartner: true,
        summary: 'Show an endpoint',
        response: WebhookEndpointResponse,
        run: async ({ actor, params }) => presentWebhook(await this.locks.find(actor, idParam(params.endpoint_id))),
      }),
      route({
        method: 'get',
        path: '/webhook-endpoints/:endpoint_id/attempts',
        access: 'client',
        wholePartner: true,
        summary: 'List the latest attempts to deliver to an endpoint, newest first',
        description: 'The failed ones of 30 days, at most 1,000, and the newest 50 successes.',
        response: [WebhookAttemptResponse],
        run: async ({ actor, params }) => {
          const { id } = await this.locks.find(actor, idParam(params.endpoint_id));
          return (await this.endpoints.attempts(id, this.clock.now())).map(presentAttempt);
        },
      }),
    ];
  }

  private changes(): Route[] {
    return [
      route({
        method: 'post',
        path: '/webhook-endpoints',
        access: 'client',
        wholePartner: true,
        summary: 'Add an endpoint that events are pushed to',
        description:
          'Within 5 seconds a signed `webhook.challenge` is posted, once. An answer 2xx with the same `challenge` in its JSON makes the endpoint `active`. A partner has at most five.',
        errors: ['too_many_webhooks'],
        body: CreateWebhookBody,
        response: NewWebhookEndpointResponse,
        status: 201,
        run: async ({ actor, body }): Promise<NewWebhookEndpointResponse> => {
          const command = {
            url: body.url,
            types: body.types ?? null,
            description: body.description ?? null,
          } satisfies EveryFieldOf<CreateWebhookBody, CreateWebhookCommand>;
          const { endpoint, secret } = await this.changeWebhook.create(actor, command);
          return Object.assign(presentWebhook(endpoint), { secret });
        },
      }),
      route({
        method: 'put',
        path: '/webhook-endpoints/:endpoint_id',
        access: 'client',
        wholePartner: true,
        summary: 'Change an endpoint; fields that are left out stay as they are',
        description:
          'An endpoint that is disabled because its key ended belongs to the key that sets `active`, and has to be confirmed again.',
        errors: ['client_token_required'],
        body: UpdateWebhookBody,
        response: WebhookEndpointResponse,
        run: async ({ actor, params, body }) => {
          const changes = {
            url: body.url,
            types: body.types,
            description: body.description,
            active: body.active,
          } satisfies EveryFieldOf<UpdateWebhookBody, WebhookChanges>;
          return presentWebhook(await this.changeWebhook.update(actor, idParam(params.endpoint_id), changes));
        },
      }),
      route({
        method: 'delete',
        path: '/webhook-endpoints/:endpoint_id',
        access: 'client',
        wholePartner: true,
        summary: 'Delete an endpoint',
        response: null,
        status: 204,
        run: ({ actor, params }) => this.changeWebhook.remove(actor, idParam(params.endpoint_id)),
      }),
      route({
        method: 'post',
        path: '/webhook-endpoints/:endpoint_id/rotate',
        access: 'client',
        wholePartner: true,
        summary: 'Replace the secret of an endpoint',
        description: 'Both secrets sign for `overlap_hours`.',
        errors: ['client_token_required'],
        body: RotateWebhookBody,
        bodyOptional: true,
        response: NewWebhookEndpointResponse,
        status: 201,
        run: async ({ actor, params, body }): Promise<NewWebhookEndpointResponse> => {
          const hours = onlyField(body, 'overlap_hours') ?? OVERLAP_HOURS;
          const { endpoint, secret } = await this.changeWebhook.rotate(actor, idParam(params.endpoint_id), hours);
          return Object.assign(presentWebhook(endpoint), { secret });
        },
      }),
    ];
  }

  private deliveries(): Route[] {
    return [
      route({
        method: 'post',
        path: '/webhook-endpoints/:endpoint_id/confirm',
        access: 'client',
        wholePartner: true,
        summary: 'Post the challenge again',
        description: `Answers with the endpoint after the attempt. ${PROBES}`,
        errors: ['too_many_probes'],
        response: WebhookEndpointResponse,
        run: async ({ actor, params, closeSignal }) =>
          presentWebhook(await this.probeWebhook.confirm(actor, idParam(params.endpoint_id), closeSignal())),
      }),
      route({
        method: 'post',
        path: '/webhook-endpoints/:endpoint_id/test',
        access: 'client',
        wholePartner: true,
        summary: 'Post a `webhook.test`',
        description: `Changes no count. ${PROBES}`,
        errors: ['too_many_probes'],
        response: ProbeResponse,
        run: ({ actor, params, closeSignal }): Promise<ProbeResponse> =>
          this.probeWebhook.test(actor, idParam(params.endpoint_id), closeSignal()),
      }),
      route({
        method: 'post',
        path: '/webhook-endpoints/:endpoint_id/redeliver',
        access: 'client',
        wholePartner: true,
        summary: 'Deliver the events between two positions again',
        description: 'At most 10,000 events, one delivery at a time, and one run of an endpoint at a time.',
        errors: ['client_token_required', 'webhook_not_active', 'redelivery_running', 'too_many_events'],
        body: RedeliverBody,
        response: RedeliveryResponse,
        status: 202,
        run: async ({ actor, params, body }): Promise<RedeliveryResponse> => {
          const { after, until } = body;
          return { events: await this.redeliverWebhook.execute(actor, idParam(params.endpoint_id), after, until) };
        },
      }),
    ];
  }

  /** @returns null for the operators */
  private async ownerOf(actor: Actor, ref: PartnerRef | undefined): Promise<number | null | 'nobody'> {
    // Also of a partner without keys and domains: its endpoints stay until they are deleted.
    const partner = ref === undefined ? null : await this.partners.find(ref);
    if (actor.kind === 'client') {
      return ref === undefined || partner?.id === actor.partnerId ? actor.partnerId : 'nobody';
    }
    return ref === undefined ? null : (partner?.id ?? 'nobody');
  }
}

function idParam(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new AppError('webhook_not_found');
  return Number(text);
}
