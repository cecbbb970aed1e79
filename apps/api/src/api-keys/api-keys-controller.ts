import type { ApiKey } from '@mailstead/core/api-keys/api-key';
import type { ApiKeyRepository, UsageReader } from '@mailstead/core/api-keys/api-key-repository';
import type { CreateApiKey } from '@mailstead/core/api-keys/create-api-key';
import type { DeleteApiKey } from '@mailstead/core/api-keys/delete-api-key';
import type { TokenHasher } from '@mailstead/core/api-keys/token-hasher';
import type { UpdateApiKey } from '@mailstead/core/api-keys/update-api-key';
import { AppError } from '@mailstead/core/errors';
import { byId } from '@mailstead/core/page';
import type { PartnerRepository } from '@mailstead/core/partners/partner-repository';
import { page, presented } from '../http/paging.js';
import { keyHandleParam, partnerRefField } from '../http/parse.js';
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
  UpdateApiKeyBody,
  UsageQuery,
  UsageResponse,
} from './api-keys-dto.js';

export class ApiKeysController implements Controller {
  constructor(
    private readonly apiKeys: ApiKeyRepository,
    private readonly partners: PartnerRepository,
    private readonly usage: UsageReader,
    private readonly tokens: TokenHasher,
    private readonly createApiKey: CreateApiKey,
    private readonly updateApiKey: UpdateApiKey,
    private readonly deleteApiKey: DeleteApiKey,
  ) {}

  routes(): Route[] {
    return [
      route({
        method: 'post',
        path: '/api-keys/',
        access: 'master',
        summary: 'Create an API key for a partner',
        body: CreateApiKeyBody,
        response: ApiKeyResponse,
        status: 201,
        idempotent: 'api_key',
        run: async ({ actor, body }) => {
          const { key, domainsUsed: used } = await this.createApiKey.execute(actor, {
            token: body.token,
            partnerRef: partnerRefField('partner_ref', body.partner_ref),
            domainsAllowed: body.domains_allowed ?? 0,
            mailboxesPerDomain: body.mailboxes_per_domain ?? 1,
            aliasesPerMailbox: body.aliases_per_mailbox ?? 5,
            active: body.active ?? true,
            expiresAt: body.expires_at ?? null,
          });
          return presentApiKey(key, used, body.token);
        },
      }),
      route({
        method: 'get',
        path: '/api-keys/',
        access: 'master',
        summary: 'List API keys, oldest first',
        query: ApiKeysQuery,
        response: [ApiKeyResponse],
        run: ({ query }) => {
          const filter =
            query.partner_ref === undefined ? {} : { partnerRef: partnerRefField('partner_ref', query.partner_ref) };
          return page(
            query,
            (at) => this.apiKeys.pageWithUse(filter, at),
            ({ key, domainsUsed: used }) => presentApiKey(key, used, null),
          );
        },
      }),
      route({
        method: 'get',
        path: '/api-keys/:token',
        access: 'master',
        summary: 'Read an API key by its token or id',
        response: ApiKeyResponse,
        run: async ({ params }) => {
          const key = await this.find(params.token);
          return presentApiKey(key, await this.domainsUsed(key), this.shownToken(params.token));
        },
      }),
      route({
        method: 'put',
        path: '/api-keys/:token',
        access: 'master',
        scopes: ['billing'],
        summary: 'Change an API key; fields that are left out stay as they are',
        body: UpdateApiKeyBody,
        bodyOptional: true,
        response: ApiKeyResponse,
        run: async ({ actor, params, body }) => {
          // The billing scope may change the limits and `active`. Only master may change the expiry.
          if (actor.kind === 'operator' && body.expires_at !== undefined) throw new AppError('scope_not_allowed');
          const key = await this.updateApiKey.execute(
            actor,
            keyHandleParam(params.token, this.tokens),
            changesOf(body),
          );
          return presentApiKey(key, await this.domainsUsed(key), this.shownToken(params.token));
        },
      }),
      route({
        method: 'delete',
        path: '/api-keys/:token',
        access: 'master',
        summary: 'Delete an API key',
        response: null,
        status: 204,
        run: ({ actor, params }) => this.deleteApiKey.execute(actor, keyHandleParam(params.token, this.tokens)),
      }),
      route({
        method: 'get',
        path: '/api-keys/:token/usage',
        access: 'master',
        summary: 'Read the usage of the partner of a key, and what the partner created since a time',
        query: UsageQuery,
        response: UsageResponse,
        run: async ({ params, query }) => {
          const key = await this.find(params.token);
          const since = query.since ?? null;
          const partner = key.partnerId;
          return new StreamedObject(
            {
              domains_allowed: key.domainsAllowed,
              domains_used: await this.domainsUsed(key),
              mailboxes_per_domain: key.mailboxesPerDomain,
              aliases_per_mailbox: key.aliasesPerMailbox,
            },
            {
              domains_created_since: presented(byId(this.usage.domains(partner, since)), presentDomainUsage),
              mailboxes_created_since: presented(byId(this.usage.mailboxes(partner, since)), presentMailboxUsage),
              aliases_created_since: presented(byId(this.usage.aliases(partner, since)), presentAliasUsage),
            },
          );
        },
      }),
    ];
  }

  private async find(token: string | undefined): Promise<ApiKey> {
    const key = await this.apiKeys.find(keyHandleParam(token, this.tokens));
    if (key === null) throw new AppError('api_key_not_found');
    return key;
  }

  private async domainsUsed(key: ApiKey): Promise<number> {
    return (await this.partners.summary(key.partnerRef))?.domainsUsed ?? 0;
  }

  /** @returns the token in the path, which the response may contain; null when the path has an id. */
  private shownToken(token: string | undefined): string | null {
    return token === undefined || /^\d+$/.test(token) ? null : token;
  }
}

function changesOf(body: UpdateApiKeyBody) {
  return {
    ...(body.domains_allowed === undefined ? {} : { domainsAllowed: body.domains_allowed }),
    ...(body.mailboxes_per_domain === undefined ? {} : { mailboxesPerDomain: body.mailboxes_per_domain }),
    ...(body.aliases_per_mailbox === undefined ? {} : { aliasesPerMailbox: body.aliases_per_mailbox }),
    ...(body.active === undefined ? {} : { active: body.active }),
    ...(body.expires_at === undefined ? {} : { expiresAt: body.expires_at }),
  };
}
