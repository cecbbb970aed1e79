import type { ApiKeyRepository } from '@mailstead/core/api-keys/api-key-repository';
import type { DeleteApiKey } from '@mailstead/core/api-keys/delete-api-key';
import type { CreateOwnKey } from '@mailstead/core/api-keys/make-api-key';
import type { RotateApiKey } from '@mailstead/core/api-keys/rotate-api-key';
import type { ApiKeyChanges, UpdateApiKey } from '@mailstead/core/api-keys/update-api-key';
import { AppError } from '@mailstead/core/errors';
import type { Actor } from '@mailstead/core/operators/actor';
import type { Client } from '@mailstead/core/operators/caller';
import { OrderedPageQuery, page } from '../http/paging.js';
import { domainNamesField, keyIdParam } from '../http/parse.js';
import { type Controller, type Route, route } from '../http/route.js';
import { ApiKeyResponse, MakeKeyBody, NarrowKeyBody, presentApiKey, RotateKeyBody } from './api-keys-dto.js';

export const OVERLAP_HOURS = 24;

export const ROTATION =
  "The successor has the same limits, name, scope, domains, expiry and maker. What the old key made until now is the successor's; its sessions, and what it makes during the overlap, end with it. The old key never expires later than it would have. A repeated request with the same `Idempotency-Key` shows the token masked.";

const MADE =
  'The token is shown this once. A repeated request with the same `Idempotency-Key` shows it masked. The key has the limits of the key that an operator made, and is valid only while its maker is.';

/** The keys that a partner makes with its own keys. Each key reaches only the keys below itself. */
export class OwnKeysController implements Controller {
  constructor(
    private readonly apiKeys: ApiKeyRepository,
    private readonly createOwnKey: CreateOwnKey,
    private readonly updateApiKey: UpdateApiKey,
    private readonly deleteApiKey: DeleteApiKey,
    private readonly rotateApiKey: RotateApiKey,
  ) {}

  routes(): Route[] {
    return [
      route({
        method: 'get',
        path: '/me/keys',
        access: 'key',
        summary: 'List the keys that this key made, and those that these made, oldest first',
        query: OrderedPageQuery,
        response: [ApiKeyResponse],
        run: ({ actor, query }) => {
          const below = clientOf(actor).credential.id;
          return page(
            query,
            (at) => this.apiKeys.records({ below }, at),
            (record) => presentApiKey(record, null),
          );
        },
      }),
      route({
        method: 'post',
        path: '/me/keys',
        access: 'key',
        summary: 'Make a key of the same partner',
        description: MADE,
        errors: ['too_many_keys'],
        body: MakeKeyBody,
        bodyOptional: true,
        response: ApiKeyResponse,
        status: 201,
        idempotent: 'api_key',
        run: async ({ actor, body }) => {
          const { record, token } = await this.createOwnKey.execute(clientOf(actor), {
            name: body.name ?? null,
            scope: body.scope ?? 'manage',
            domains: domainNamesField('domains', body.domains ?? null),
            expiresAt: body.expires_at ?? null,
          });
          return presentApiKey(record, token);
        },
      }),
      route({
        method: 'put',
        path: '/me/keys/:key_id',
        access: 'key',
        summary: 'Rename or narrow a key below this one; fields that are left out stay as they are',
        description:
          'Only narrower: `active` false, an earlier `expires_at`, `scope` `read`, fewer `domains`. The operator alone undoes it.',
        body: NarrowKeyBody,
        bodyOptional: true,
        response: ApiKeyResponse,
        run: async ({ actor, params, body }) =>
          presentApiKey(
            await this.updateApiKey.execute(clientOf(actor), keyIdParam(params.key_id), narrowingOf(body)),
            null,
          ),
      }),
      route({
        method: 'delete',
        path: '/me/keys/:key_id',
        access: 'key',
        summary: 'Delete a key below this one, and the keys below it',
        response: null,
        status: 204,
        run: ({ actor, params }) => this.deleteApiKey.execute(clientOf(actor), keyIdParam(params.key_id)),
      }),
      route({
        method: 'post',
        path: '/me/keys/:key_id/rotate',
        access: 'key',
        summary: 'Replace a key below this one by a successor with a new token',
        description: ROTATION,
        errors: ['api_key_ended', 'too_many_keys'],
        body: RotateKeyBody,
        bodyOptional: true,
        response: ApiKeyResponse,
        status: 201,
        idempotent: 'api_key',
        run: async ({ actor, params, body }) => {
          const { record, token } = await this.rotateApiKey.execute(
            clientOf(actor),
            keyIdParam(params.key_id),
            body.overlap_hours ?? OVERLAP_HOURS,
          );
          return presentApiKey(record, token);
        },
      }),
    ];
  }
}

export function narrowingOf(body: NarrowKeyBody): ApiKeyChanges {
  return {
    ...(body.active === undefined ? {} : { active: body.active }),
    ...(body.expires_at === undefined ? {} : { expiresAt: body.expires_at }),
    ...(body.name === undefined ? {} : { name: body.name }),
    ...(body.scope === undefined ? {} : { scope: body.scope }),
    ...(body.domains === undefined ? {} : { domains: domainNamesField('domains', body.domains) }),
  };
}

/** The access of the routes leaves only keys. */
function clientOf(actor: Actor): Actor & Client {
  if (actor.kind !== 'client') throw new AppError('client_token_required');
  return actor;
}
