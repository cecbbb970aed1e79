import { Clock } from '@mailstead/core/clock';
import { StateSearch } from '@mailstead/core/domain-states/state-search';
import { CreateDomain, type CreateDomainCommand } from '@mailstead/core/domains/create-domain';
import { DeleteDomain } from '@mailstead/core/domains/delete-domain';
import { DomainFinder } from '@mailstead/core/domains/domain-finder';
import { DomainRepository } from '@mailstead/core/domains/domain-repository';
import { MoveDomain } from '@mailstead/core/domains/move-domain';
import {
  type DomainUpdate,
  SetInbound,
  SetRetention,
  SetTransferCap,
  UpdateDomain,
} from '@mailstead/core/domains/set-domain-limits';
import { SetParent, type SetParentCommand } from '@mailstead/core/domains/set-parent';
import { ActivateDomain, SuspendDomain, type SuspendDomainCommand } from '@mailstead/core/domains/suspend-domain';
import { AppError, invalidField } from '@mailstead/core/errors';
import { needs } from '@mailstead/core/needs';
import { type Actor, scopeOf } from '@mailstead/core/operators/actor';
import { type EveryFieldOf, onlyField } from '../http/body-fields.js';
import { refuseForeignMessage } from '../http/operator-message.js';
import { counted, type ListResponse, page, searchedAndCounted } from '../http/paging.js';
import { domainNameField, domainNameParam, newDomainNameField, partnerRefField } from '../http/parse.js';
import { type Controller, type Route, route } from '../http/route.js';
import { DomainDetails } from './domain-details.js';
import { DomainLookup } from './domain-lookup.js';
import {
  CreateDomainBody,
  DomainDetailsResponse,
  DomainResponse,
  InboundBody,
  ParentBody,
  ParentResponse,
  PartnerBody,
  presentDomain,
  presentDomainDetails,
  presentRetention,
  presentSuspension,
  presentTransfer,
  RetentionBody,
  RetentionResponse,
  SuspendDomainBody,
  SuspensionBody,
  SuspensionResponse,
  TransferBody,
  TransferResponse,
  UpdateDomainBody,
} from './domains-dto.js';
import { DomainsQuery } from './domains-query.js';

const FILTERED_LIST =
  'With `limit`, several filters look at no more than 20,000 domains a request: a page may have fewer rows than `limit`, and still a link to the next one.';

@needs(
  DomainRepository,
  DomainFinder,
  StateSearch,
  DomainDetails,
  DomainLookup,
  CreateDomain,
  DeleteDomain,
  MoveDomain,
  SetParent,
  SetRetention,
  SetTransferCap,
  SetInbound,
  UpdateDomain,
  SuspendDomain,
  ActivateDomain,
  Clock,
)
export class DomainsController implements Controller {
  constructor(
    private readonly domains: DomainRepository,
    private readonly finder: DomainFinder,
    private readonly states: StateSearch,
    private readonly details: DomainDetails,
    private readonly domainLookup: DomainLookup,
    private readonly createDomain: CreateDomain,
    private readonly deleteDomain: DeleteDomain,
    private readonly moveDomain: MoveDomain,
    private readonly setParent: SetParent,
    private readonly setRetention: SetRetention,
    private readonly setTransferCap: SetTransferCap,
    private readonly setInbound: SetInbound,
    private readonly updateDomain: UpdateDomain,
    private readonly suspendDomain: SuspendDomain,
    private readonly activateDomain: ActivateDomain,
    private readonly clock: Clock,
  ) {}

  routes(): Route[] {
    return [
      route({
        method: 'get',
        path: '/domains/:domain_name',
        access: 'client',
        scopes: ['billing'],
        summary: 'Read a domain',
        response: DomainDetailsResponse,
        run: async ({ actor, params }) => this.details.read(actor, params.domain_name),
      }),
      route({
        method: 'get',
        path: '/domains/',
        access: 'client',
        scopes: ['billing'],
        summary: 'List domains, oldest first',
        description: FILTERED_LIST,
        query: DomainsQuery,
        response: [DomainResponse, DomainDetailsResponse],
        run: ({ actor, query }) => this.list(actor, query),
      }),
      route({
        method: 'post',
        path: '/domains/',
        access: 'client',
        wholePartner: true,
        scopes: ['billing'],
        summary: 'Create a domain and start its relay verification',
        errors: [
          'domain_exists',
          'domain_name_reserved',
          'parent_domain_of_other_partner',
          'domain_quota_exceeded',
          'master_token_required',
        ],
        body: CreateDomainBody,
        response: DomainResponse,
        status: 201,
        idempotent: 'domain',
        run: async ({ actor, body }) => {
          const name = newDomainNameField('name', body.name);
          if (actor.kind === 'client' && body.partner_ref !== undefined) throw new AppError('master_token_required');
          const command = {
            name,
            partnerRef: partnerRefField('partner_ref', body.partner_ref ?? null),
            externalRef: body.external_ref ?? null,
          } satisfies EveryFieldOf<CreateDomainBody, CreateDomainCommand>;
          return presentDomain(await this.createDomain.execute(actor, command));
        },
      }),
      route({
        method: 'put',
        path: '/domains/:domain_name',
        access: 'client',
        summary: 'Set the reference of a domain, and whether mail from outside may have a sender of it',
        body: UpdateDomainBody,
        response: DomainDetailsResponse,
        run: async ({ actor, params, body }) => {
          const name = domainNameParam(params.domain_name);
          if (body.external_ref === undefined && body.external_senders === undefined)
            throw invalidField('external_ref', 'is required without external_senders');
          const update = {
            externalRef: body.external_ref,
            externalSenders: body.external_senders,
          } satisfies EveryFieldOf<UpdateDomainBody, DomainUpdate>;
          await this.updateDomain.execute(actor, name, update);
          return this.details.read(actor, name);
        },
      }),
      route({
        method: 'delete',
        path: '/domains/:domain_name',
        access: 'client',
        wholePartner: true,
        scopes: ['billing'],
        summary: 'Delete a domain with all its mailboxes and aliases',
        response: null,
        status: 204,
        run: ({ actor, params }) => this.deleteDomain.execute(actor, domainNameParam(params.domain_name)),
      }),
      route({
        method: 'get',
        path: '/domains/:domain_name/retention',
        access: 'client',
        scopes: ['billing'],
        summary: 'Read the retention of a domain',
        response: RetentionResponse,
        run: async ({ actor, params }) =>
          presentRetention((await this.domainLookup.findWithParent(actor, params.domain_name)).domain),
      }),
      route({
        method: 'put',
        path: '/domains/:domain_name/retention',
        access: 'master',
        scopes: ['billing'],
        summary: 'Set the retention of a domain',
        body: RetentionBody,
        response: RetentionResponse,
        run: async ({ actor, params, body }) => {
          const name = domainNameParam(params.domain_name);
          return presentRetention(await this.setRetention.execute(actor, name, onlyField(body, 'retention_days')));
        },
      }),
      route({
        method: 'get',
        path: '/domains/:domain_name/transfer',
        access: 'client',
        scopes: ['billing'],
        summary: 'Read the monthly transfer cap of a domain',
        response: TransferResponse,
        run: async ({ actor, params }) =>
          presentTransfer((await this.domainLookup.findWithParent(actor, params.domain_name)).domain),
      }),
      route({
        method: 'put',
        path: '/domains/:domain_name/transfer',
        access: 'master',
        scopes: ['billing'],
        summary: 'Set the monthly transfer cap of a domain',
        body: TransferBody,
        response: TransferResponse,
        run: async ({ actor, params, body }) => {
          const transferMb = onlyField(body, 'transfer_monthly_mb');
          const name = domainNameParam(params.domain_name);
          return presentTransfer(await this.setTransferCap.execute(actor, name, transferMb));
        },
      }),
      route({
        method: 'put',
        path: '/domains/:domain_name/suspend',
        access: 'client',
        wholePartner: true,
        scopes: ['billing'],
        summary: 'Suspend a domain; no mail is lost',
        errors: ['master_token_required'],
        body: SuspendDomainBody,
        bodyOptional: true,
        response: SuspensionResponse,
        run: async ({ actor, params, body }) => {
          const name = domainNameParam(params.domain_name);
          refuseForeignMessage(actor, body.message);
          const command = {
            cause: chosenCause(actor, body.cause),
            message: body.message,
          } satisfies EveryFieldOf<SuspendDomainBody, SuspendDomainCommand>;
          return presentSuspension(await this.suspendDomain.execute(actor, name, command));
        },
      }),
      route({
        method: 'put',
        path: '/domains/:domain_name/activate',
        access: 'client',
        wholePartner: true,
        scopes: ['billing'],
        summary: 'Lift a cause of suspension and return the remaining state',
        errors: ['master_token_required', 'suspended_by_operator'],
        body: SuspensionBody,
        bodyOptional: true,
        response: SuspensionResponse,
        run: async ({ actor, params, body }) => {
          const name = domainNameParam(params.domain_name);
          return presentSuspension(
            await this.activateDomain.execute(actor, name, chosenCause(actor, onlyField(body, 'cause'))),
          );
        },
      }),
      route({
        method: 'put',
        path: '/domains/:domain_name/parent',
        access: 'master',
        summary: 'Set the parent and the wildcard mode of a domain',
        body: ParentBody,
        bodyOptional: true,
        response: ParentResponse,
        run: async ({ actor, params, body }) => {
          const command = {
            parent: typeof body.parent === 'string' ? domainNameField('parent', body.parent) : body.parent,
            wildcardMode: body.wildcard_mode,
          } satisfies EveryFieldOf<ParentBody, SetParentCommand>;
          const name = domainNameParam(params.domain_name);
          await this.setParent.execute(actor, name, command);
          const found = await this.domainLookup.findWithParent(actor, name);
          const { wildcardMode: wildcard_mode, revision } = found.domain;
          return { name, parent: found.parent?.domain.name ?? null, wildcard_mode, revision };
        },
      }),
      route({
        method: 'put',
        path: '/domains/:domain_name/partner',
        access: 'master',
        summary: 'Move a domain to another partner',
        errors: ['domain_has_foreign_aliases'],
        body: PartnerBody,
        response: DomainDetailsResponse,
        run: async ({ actor, params, body }) => {
          const name = domainNameParam(params.domain_name);
          await this.moveDomain.execute(actor, name, partnerRefField('partner_ref', onlyField(body, 'partner_ref')));
          return this.details.read(actor, name);
        },
      }),
      route({
        method: 'put',
        path: '/domains/:domain_name/inbound',
        access: 'master',
        summary: 'Open or close a domain for inbound mail',
        body: InboundBody,
        response: DomainDetailsResponse,
        run: async ({ actor, params, body }) => {
          const name = domainNameParam(params.domain_name);
          await this.setInbound.execute(actor, name, onlyField(body, 'inbound'));
          return this.details.read(actor, name);
        },
      }),
    ];
  }

  private list(actor: Actor, query: DomainsQuery): ListResponse {
    const [scope, filter, now] = [scopeOf(actor), query.filter(actor), this.clock.now()];
    const flows = query.flows();
    if (query.view === 'full' || flows !== undefined) {
      const isClient = actor.kind === 'client';
      return searchedAndCounted(query, this.states.domains(scope, filter, flows, now), (found) =>
        query.view === 'full' ? presentDomainDetails(found, now, isClient) : presentDomain(found.domain),
      );
    }
    const { partnerRef, ...conditions } = filter;
    const search = this.finder.summaries(scope, filter, now);
    if (Object.values(conditions).every((value) => value === undefined)) {
      const list = page(query, (at) => this.domains.page(scope, { partnerRef }, at), presentDomain);
      return counted(query, list, search.count);
    }
    return searchedAndCounted(query, search, presentDomain);
  }
}

/**
 * Master may name any cause, the billing scope only `billing`, a client only `partner`.
 *
 * @throws AppError master_token_required, scope_not_allowed
 */
function chosenCause(actor: Actor, cause: SuspensionBody['cause']): SuspensionBody['cause'] {
  if (cause === undefined) return undefined;
  if (actor.kind === 'client' && cause !== 'partner') throw new AppError('master_token_required');
  if (actor.kind === 'operator' && cause !== 'billing') throw new AppError('scope_not_allowed');
  return cause;
}
