import type { Alias } from '@mailstead/core/aliases/alias';
import { AliasRepository } from '@mailstead/core/aliases/alias-repository';
import { ChangeAlias } from '@mailstead/core/aliases/change-alias';
import { CreateAlias, type CreateAliasCommand } from '@mailstead/core/aliases/create-alias';
import { type AliasHandle, DeleteAlias } from '@mailstead/core/aliases/delete-alias';
import { AppError, invalidField } from '@mailstead/core/errors';
import {
  type ParsedAddress,
  parseCatchAll,
  parseForeignAddress,
  parseNewAddress,
  parseOwnAddress,
} from '@mailstead/core/mailboxes/address';
import { needs } from '@mailstead/core/needs';
import { scopeOf } from '@mailstead/core/operators/actor';
import { DomainLookup } from '../domains/domain-lookup.js';
import { type EveryFieldOf, onlyField } from '../http/body-fields.js';
import { searchedAndCounted } from '../http/paging.js';
import { beginningsOf } from '../http/parse.js';
import { type Controller, type Route, route } from '../http/route.js';
import { ADDRESS_RULE, ALIAS_RULE } from '../http/text-rules.js';
import { AliasesQuery, AliasResponse, CreateAliasBody, presentAlias, UpdateAliasBody } from './aliases-dto.js';

@needs(DomainLookup, AliasRepository, CreateAlias, ChangeAlias, DeleteAlias)
export class AliasesController implements Controller {
  constructor(
    private readonly domainLookup: DomainLookup,
    private readonly aliases: AliasRepository,
    private readonly createAlias: CreateAlias,
    private readonly changeAlias: ChangeAlias,
    private readonly deleteAlias: DeleteAlias,
  ) {}

  routes(): Route[] {
    return [
      route({
        method: 'get',
        path: '/aliases/:alias',
        access: 'client',
        summary: 'Read an alias by its id',
        response: AliasResponse,
        run: async ({ actor, params }) => {
          const handle = handleParam(params.alias);
          const alias = 'id' in handle ? await this.aliases.find(scopeOf(actor), handle.id) : null;
          if (alias === null) throw new AppError('alias_not_found');
          return presentAlias(alias, await this.domainLookup.limitOf(actor));
        },
      }),
      route({
        method: 'get',
        path: '/aliases/',
        access: 'client',
        scopes: ['policy'],
        summary: 'List aliases, oldest first',
        errors: ['domain_not_found'],
        query: AliasesQuery,
        response: [AliasResponse],
        run: async ({ actor, query }) => {
          // The policy scope may look up one address. It may not list aliases.
          if (actor.kind === 'operator' && actor.scope === 'policy' && query.address === undefined) {
            throw new AppError('scope_not_allowed');
          }
          const domain = await this.domainLookup.filter(actor, query.domain);
          const filter = {
            ...query.filter(actor),
            domain,
            address:
              query.address === undefined ? undefined : aliasAddressField(query.address, parseOwnAddress).address,
            destination: query.destination === undefined ? undefined : destinationField(query.destination).address,
          };
          const limit = await this.domainLookup.limitOf(actor);
          const present = (alias: Alias) => presentAlias(alias, limit);
          const begins = beginningsOf(query.q);
          return searchedAndCounted(query, this.aliases.search(scopeOf(actor), { ...filter, begins }), present);
        },
      }),
      route({
        method: 'post',
        path: '/aliases/',
        access: 'client',
        summary: 'Create an alias or a catch-all',
        errors: ['domain_not_found', 'mailbox_not_found', 'alias_exists', 'address_in_use', 'alias_quota_exceeded'],
        body: CreateAliasBody,
        response: AliasResponse,
        status: 201,
        idempotent: 'alias',
        run: async ({ actor, body }) => {
          const command = {
            ...aliasAddressField(body.address, parseNewAddress),
            destination: destinationField(body.destination),
          } satisfies EveryFieldOf<CreateAliasBody, CreateAliasCommand>;
          const alias = await this.createAlias.execute(actor, command);
          return presentAlias(alias, await this.domainLookup.limitOf(actor));
        },
      }),
      route({
        method: 'put',
        path: '/aliases/:alias',
        access: 'client',
        summary: 'Change the destination of an alias, by its id',
        errors: ['mailbox_not_found', 'alias_exists', 'alias_quota_exceeded'],
        body: UpdateAliasBody,
        response: AliasResponse,
        run: async ({ actor, params, body }) => {
          const destination = destinationField(onlyField(body, 'destination'));
          const handle = handleParam(params.alias);
          if (!('id' in handle)) throw new AppError('alias_not_found');
          const alias = await this.changeAlias.execute(actor, handle.id, destination);
          return presentAlias(alias, await this.domainLookup.limitOf(actor));
        },
      }),
      route({
        method: 'delete',
        path: '/aliases/:alias',
        access: 'client',
        summary: 'Delete an alias by its id, or all aliases of an address',
        response: null,
        status: 204,
        run: ({ actor, params }) => this.deleteAlias.execute(actor, handleParam(params.alias)),
      }),
    ];
  }
}

function aliasAddressField(
  text: string,
  parse: (text: string) => ParsedAddress | null,
): Pick<CreateAliasCommand, 'address' | 'domain'> {
  const parsed = parseCatchAll(text) ?? parse(text);
  if (parsed === null) throw invalidField('address', ALIAS_RULE);
  return { address: parsed.address, domain: parsed.domain };
}

function destinationField(text: string): CreateAliasCommand['destination'] {
  const parsed = parseForeignAddress(text);
  if (parsed === null) throw invalidField('destination', ADDRESS_RULE);
  return parsed;
}

function handleParam(text: string): AliasHandle {
  if (/^\d{1,15}$/.test(text)) return { id: Number(text) };
  const parsed = parseCatchAll(text) ?? parseOwnAddress(text);
  if (parsed === null) throw new AppError('alias_not_found');
  return { address: parsed.address };
}
