import {
  ApiKeyRepository,
  type KeyFilter,
  type KeyRecord,
  UsageReader,
} from '@mailstead/core/api-keys/api-key-repository';
import { CreateApiKey, type CreateApiKeyCommand } from '@mailstead/core/api-keys/create-api-key';
import { DeleteApiKey } from '@mailstead/core/api-keys/delete-api-key';
import { RotateApiKey } from '@mailstead/core/api-keys/rotate-api-key';
import { TokenHasher } from '@mailstead/core/api-keys/token-hasher';
import { type ApiKeyChanges, UpdateApiKey } from '@mailstead/core/api-keys/update-api-key';
import { AppError } from '@mailstead/core/errors';
import { needs } from '@mailstead/core/needs';
import { byId } from '@mailstead/core/page';
import { allRowsOf } from '@mailstead/core/partners/partner-scope';
import { type EveryFieldOf, onlyField } from '../http/body-fields.js';
import { found, presented, searchedAndCounted } from '../http/paging.js';
import { beginningsOf, domainNamesField, keyHandleParam, partnerRefField, partnerRefQuery } from '../http/parse.js';
import { StreamedObject } from '../http/responses.js';
import { type Controller, type Route, route } from '../http/route.js';
import {
  ApiKeyResponse,
  ApiKeysQuery,
  CreateApiKeyBody,
  presentAliasUsage,
  presentApiKey,
  presentDomainUsage,
  presentMailboxUsage,
  RotateKeyBody,
  UpdateApiKeyBody,
  UsageQuery,
  UsageResponse,
} from './api-keys-dto.js';
import { narrowingOf, OVERLAP_HOURS, ROTATION } from './own-keys-controller.js';

@needs(ApiKeyRepository, UsageReader, TokenHasher, CreateApiKey, UpdateApiKey, DeleteApiKey, RotateApiKey)
export class ApiKeysController implements Controller {
  constructor(
    private readonly apiKeys: ApiKeyRepository,
    private readonly usage: UsageReader,
    private readonly tokens: TokenHasher,
    private readonly createApiKey: CreateApiKey,
    private readonly updateApiKey: UpdateApiKey,
    private readonly deleteApiKey: DeleteApiKey,
    private readonly rotateApiKey: RotateApiKey,
  ) {}

  routes(): Route[] {
    return [
      route({
        method: 'post',
        path: '/api-keys/',
        access: 'master',
        summary: 'Create an API key for a partner',
        errors: ['api_key_exists'],
        body: CreateApiKeyBody,
        response: ApiKeyResponse,
        status: 201,
        idempotent: 'api_key',
        run: async ({ actor, body }) => {
          const command = {
            token: body.token,
            partnerRef: partnerRefField('partner_ref', body.partner_ref),
            domainsAllowed: body.domains_allowed ?? 0,
            mailboxesPerDomain: body.mailboxes_per_domain ?? 1,
            aliasesPerMailbox: body.aliases_per_mailbox ?? 5,
            active: body.active ?? true,
            expiresAt: body.expires_at ?? null,
            name: body.name ?? null,
            scope: body.scope ?? 'manage',
            domains: domainNamesField('domains', body.domains ?? null),
          } satisfies EveryFieldOf<CreateApiKeyBody, CreateApiKeyCommand>;
          const record = await this.createApiKey.execute(actor, command);
          return presentApiKey(record, body.token);
        },
      }),
      route({
        method: 'get',
        path: '/api-keys/',
        access: 'master',
        summary: 'List API keys, oldest first',
        query: ApiKeysQuery,
        response: [ApiKeyResponse],
        run: ({ query }) =>
          searchedAndCounted(query, this.apiKeys.search(filterOf(query)), (record) => presentApiKey(record, null)),
      }),
      route({
        method: 'get',
        path: '/api-keys/:token',
        access: 'master',
        summary: 'Read an API key by its token or id',
        response: ApiKeyResponse,
        run: async ({ params }) => presentApiKey(await this.find(params.token), this.shownToken(params.token)),
      }),
      route({
        method: 'put',
        path: '/api-keys/:token',
        access: 'master',
        scopes: ['billing'],
        summary: 'Change an API key; fields that are left out stay as they are',
        description: 'The limits of a key that a key made are those of the key that an operator made.',
        body: UpdateApiKeyBody,
        bodyOptional: true,
        response: ApiKeyResponse,
        run: async ({ actor, params, body }) => {
          // The billing scope may change the limits and `active`. Only master may change the rest.
          const { expires_at: expiresAt, name, scope, domains } = body;
          const isOfMaster = [expiresAt, name, scope, domains].some((value) => value !== undefined);
          if (actor.kind === 'operator' && isOfMaster) throw new AppError('scope_not_allowed');
          const record = await this.updateApiKey.execute(
            actor,
            keyHandleParam(params.token, this.tokens),
            changesOf(body),
          );
          return presentApiKey(record, this.shownToken(params.token));
        },
      }),
      route({
        method: 'delete',
        path: '/api-keys/:token',
        access: 'master',
        summary: 'Delete an API key and the keys below it',
        response: null,
        status: 204,
        run: ({ actor, params }) => this.deleteApiKey.execute(actor, keyHandleParam(params.token, this.tokens)),
      }),
      route({
        method: 'post',
        path: '/api-keys/:token/rotate',
        access: 'master',
        summary: 'Replace an API key by a successor with a token made by the service',
        description: ROTATION,
        errors: ['api_key_ended', 'too_many_keys'],
        body: RotateKeyBody,
        bodyOptional: true,
        response: ApiKeyResponse,
        status: 201,
        idempotent: 'api_key',
        run: async ({ actor, params, body }) => {
          const handle = keyHandleParam(params.token, this.tokens);
          const overlapHours = onlyField(body, 'overlap_hours') ?? OVERLAP_HOURS;
          const { record, token } = await this.rotateApiKey.execute(actor, handle, overlapHours);
          return presentApiKey(record, token);
        },
      }),
      route({
        method: 'get',
        path: '/api-keys/:token/usage',
        access: 'master',
        summary: 'Read the usage of the partner of a key, and what the partner created since a time',
        query: UsageQuery,
        response: UsageResponse,
        run: async ({ params, query }) => {
          const { chain, domainsUsed } = await this.find(params.token);
          const { key, limits } = chain;
          const since = query.since ?? null;
          const partner = allRowsOf(key.partnerId);
          return new StreamedObject(
            {
              domains_allowed: limits.domainsAllowed,
              domains_used: domainsUsed,
              mailboxes_per_domain: limits.mailboxesPerDomain,
              aliases_per_mailbox: limits.aliasesPerMailbox,
            },
            {
              domains_created_since: presented(byId(this.usage.domains(partner, since)), presentDomainUsage),
              mailboxes_created_since: found(this.usage.mailboxes(partner, since), presentMailboxUsage),
              aliases_created_since: found(this.usage.aliases(partner, since), presentAliasUsage),
            },
          );
        },
      }),
    ];
  }

  private async find(token: string): Promise<KeyRecord> {
    const record = await this.apiKeys.record(keyHandleParam(token, this.tokens));
    if (record === null) throw new AppError('api_key_not_found');
    return record;
  }

  /** @returns the token in the path, which the response may contain; null when the path has an id. */
  private shownToken(token: string): string | null {
    return /^\d+$/.test(token) ? null : token;
  }
}

function filterOf({ partner_ref: ref, q }: ApiKeysQuery): KeyFilter {
  const begins = beginningsOf(q);
  return {
    partnerRef: ref === undefined ? undefined : partnerRefQuery('partner_ref', ref),
    begins:
      begins === undefined
        ? undefined
        : { name: begins.text, partnerRef: ref === undefined ? begins.partnerRef : null },
  };
}

function changesOf(body: UpdateApiKeyBody): ApiKeyChanges {
  return {
    domainsAllowed: body.domains_allowed,
    mailboxesPerDomain: body.mailboxes_per_domain,
    aliasesPerMailbox: body.aliases_per_mailbox,
    ...narrowingOf(body),
  } satisfies EveryFieldOf<UpdateApiKeyBody, ApiKeyChanges>;
}
