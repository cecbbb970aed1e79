import { Clock } from '@mailstead/core/clock';
import { AppError, invalidField } from '@mailstead/core/errors';
import { readAddressPrefix } from '@mailstead/core/mailboxes/address';
import { needs } from '@mailstead/core/needs';
import { type Actor, scopeOf } from '@mailstead/core/operators/actor';
import { CreateSuppression, type CreateSuppressionCommand } from '@mailstead/core/suppressions/create-suppression';
import { DeleteSuppression } from '@mailstead/core/suppressions/delete-suppression';
import { parseSuppressedAddress, type SuppressedAddress } from '@mailstead/core/suppressions/suppression-address';
import { Suppressions } from '@mailstead/core/suppressions/suppressions';
import { DomainLookup } from '../domains/domain-lookup.js';
import type { EveryFieldOf } from '../http/body-fields.js';
import { CSV, prefersCsv, streamedCsv } from '../http/csv.js';
import { found, searchedAndCounted } from '../http/paging.js';
import { domainNameField, partnerRefField } from '../http/parse.js';
import { StatusResponse } from '../http/responses.js';
import { type Controller, type Route, route } from '../http/route.js';
import { ADDRESS_RULE } from '../http/text-rules.js';
import {
  CreateSuppressionBody,
  presentSuppression,
  SUPPRESSION_COLUMNS,
  SuppressionResponse,
  SuppressionsQuery,
} from './suppressions-dto.js';

/** Addresses to which a domain, or every domain of a partner, does not send. */
@needs(DomainLookup, Suppressions, CreateSuppression, DeleteSuppression, Clock)
export class SuppressionsController implements Controller {
  constructor(
    private readonly domainLookup: DomainLookup,
    private readonly suppressions: Suppressions,
    private readonly createSuppression: CreateSuppression,
    private readonly deleteSuppression: DeleteSuppression,
    private readonly clock: Clock,
  ) {}

  routes(): Route[] {
    return [
      route({
        method: 'get',
        path: '/suppressions/',
        access: 'client',
        summary: 'List the addresses to which is not sent, oldest first',
        description:
          'Expired ones are absent. A key that is limited to some domains names one of them. With `Accept: text/csv` the list is CSV (RFC 4180, UTF-8).',
        errors: ['domain_not_found', 'key_limited_to_domains'],
        query: SuppressionsQuery,
        alsoMediaTypes: [CSV],
        response: [SuppressionResponse],
        run: async ({ actor, query, headers }) => {
          if (query.domain === undefined) refuseLimited(actor);
          const domain = await this.domainLookup.filter(actor, query.domain);
          const filter = {
            ...query.filter(actor),
            domain,
            reason: query.reason,
            begins: query.q === undefined ? undefined : readAddressPrefix(query.q),
          };
          const search = this.suppressions.search(scopeOf(actor), filter, this.clock.now());
          if (!prefersCsv(headers.accept)) return searchedAndCounted(query, search, presentSuppression);
          const { after, limit, order } = query;
          return streamedCsv(SUPPRESSION_COLUMNS, found(search, presentSuppression, { after, limit, order }));
        },
      }),
      route({
        method: 'post',
        path: '/suppressions/',
        access: 'client',
        summary: 'Suppress an address',
        description:
          'One that exists is answered with 200 and not changed. A key that is limited to some domains names one of them. A partner has at most 100,000.',
        errors: [
          'domain_not_found',
          'partner_not_found',
          'too_many_suppressions',
          'master_token_required',
          'key_limited_to_domains',
        ],
        body: CreateSuppressionBody,
        response: SuppressionResponse,
        status: 201,
        alsoStatuses: [200],
        run: async ({ actor, body }) => {
          const command = commandOf(actor, body);
          const { suppression, isNew } = await this.createSuppression.execute(actor, command);
          return new StatusResponse(isNew ? 201 : 200, presentSuppression(suppression));
        },
      }),
      route({
        method: 'delete',
        path: '/suppressions/:suppression_id',
        access: 'client',
        summary: 'Lift a suppression',
        description: 'Master alone lifts a complaint.',
        errors: ['complaint_not_liftable'],
        response: null,
        status: 204,
        run: ({ actor, params }) => this.deleteSuppression.execute(actor, idParam(params.suppression_id)),
      }),
    ];
  }
}

/** @throws AppError key_limited_to_domains */
function refuseLimited(actor: Actor): void {
  if (actor.kind === 'client' && actor.domainIds !== null) throw new AppError('key_limited_to_domains');
}

function commandOf(actor: Actor, body: CreateSuppressionBody): CreateSuppressionCommand {
  const { partner_ref: ref } = body;
  const domain = body.domain ?? null;
  if (actor.kind === 'client' && ref !== undefined) throw new AppError('master_token_required');
  if (domain !== null && ref !== undefined) throw invalidField('partner_ref', 'must not be given together with domain');
  return {
    address: addressField(body.address),
    domain: domain === null ? null : domainNameField('domain', domain),
    note: body.note ?? null,
    partnerRef: partnerRefField('partner_ref', ref ?? null),
  } satisfies EveryFieldOf<CreateSuppressionBody, CreateSuppressionCommand>;
}

function addressField(text: string): SuppressedAddress {
  const address = parseSuppressedAddress(text);
  if (address === null) throw invalidField('address', ADDRESS_RULE);
  return address;
}

function idParam(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new AppError('suppression_not_found');
  return Number(text);
}
