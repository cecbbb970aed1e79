import type { AliasRepository } from '@mailstead/core/aliases/alias-repository';
import type { CreateAlias, CreateAliasCommand } from '@mailstead/core/aliases/create-alias';
import type { AliasHandle, DeleteAlias } from '@mailstead/core/aliases/delete-alias';
import { AppError, invalidField } from '@mailstead/core/errors';
import {
  OWN_ADDRESS_RULE,
  type ParsedAddress,
  parseCatchAll,
  parseForeignAddress,
  parseNewAddress,
  parseOwnAddress,
} from '@mailstead/core/mailboxes/address';
import { scopeOf } from '@mailstead/core/operators/actor';
import type { DomainLookup } from '../domains/domain-lookup.js';
import { page } from '../http/paging.js';
import { type Controller, type Route, route } from '../http/route.js';
import { AliasesQuery, AliasResponse, CreateAliasBody, presentAlias } from './aliases-dto.js';

export class AliasesController implements Controller {
  constructor(
    private readonly domainLookup: DomainLookup,
    private readonly aliases: AliasRepository,
    private readonly createAlias: CreateAlias,
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
          return presentAlias(alias);
        },
      }),
      route({
        method: 'get',
        path: '/aliases/',
        access: 'client',
        scopes: ['policy'],
        summary: 'List aliases, oldest first',
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
          return page(query, this.aliases.list(scopeOf(actor), filter), presentAlias);
        },
      }),
      route({
        method: 'post',
        path: '/aliases/',
        access: 'client',
        summary: 'Create an alias or a catch-all',
        body: CreateAliasBody,
        response: AliasResponse,
        status: 201,
        idempotent: 'alias',
        run: async ({ actor, body }) => {
          const command = {
            ...aliasAddressField(body.address, parseNewAddress),
            destination: destinationField(body.destination),
          };
          return presentAlias(await this.createAlias.execute(actor, command));
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
  if (parsed === null) throw invalidField('address', `${OWN_ADDRESS_RULE}; or @example.com for a catch-all`);
  return { address: parsed.address, domain: parsed.domain };
}

function destinationField(text: string): CreateAliasCommand['destination'] {
  const parsed = parseForeignAddress(text);
  if (parsed === null) throw invalidField('destination', 'must be an address like name@example.com');
  return parsed;
}

function handleParam(text: string | undefined): AliasHandle {
  const value = text ?? '';
  if (/^\d{1,15}$/.test(value)) return { id: Number(value) };
  const parsed = parseCatchAll(value) ?? parseOwnAddress(value);
  if (parsed === null) throw new AppError('alias_not_found');
  return { address: parsed.address };
}
