import type { KeyLimits } from '@mailstead/core/api-keys/api-key';
import { ApiKeyRepository } from '@mailstead/core/api-keys/api-key-repository';
import { CreateOwnKey, type CreateOwnKeyCommand } from '@mailstead/core/api-keys/create-own-key';
import { DeleteApiKey } from '@mailstead/core/api-keys/delete-api-key';
import { RotateApiKey } from '@mailstead/core/api-keys/rotate-api-key';
import { type ApiKeyChanges, UpdateApiKey } from '@mailstead/core/api-keys/update-api-key';
import { AppError } from '@mailstead/core/errors';
import { needs } from '@mailstead/core/needs';
import type { Actor } from '@mailstead/core/operators/actor';
import type { Client } from '@mailstead/core/operators/caller';
import { type EveryFieldOf, onlyField } from '../http/body-fields.js';
import { OrderedPageQuery, page } from '../http/paging.js';
import { domainNamesField, keyIdParam } from '../http/parse.js';
import { type Controller, type Route, route } from '../http/route.js';
import { ApiKeyResponse, MakeKeyBody, NarrowKeyBody, presentApiKey, RotateKeyBody } from './api-keys-dto.js';

export const OVERLAP_HOURS = 24;

export const ROTATION =
  "The successor has the same limits, name, scope, domains, expiry and maker. What the old key made until now is the successor's; its sessions, and what it makes during the overlap, end with it. The old key never expires later than it would have. A repeated request with the same `Idempotency-Key` shows the token masked.";

const CREATION =
  'The token is shown this once. A repeated request with the same `Idempotency-Key` shows it masked. The key has the limits of the key that an operator made, and is valid only while its maker is.';

/** The keys that a partner creates with its own keys. Each key reaches only the keys below itself. */
@needs(ApiKeyRepository, CreateOwnKey, UpdateApiKey, DeleteApiKey, RotateApiKey)
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
          const keyId = clientOf(actor).credential.id;
          return page(
            query,
            (at) => this.apiKeys.recordsBelow(keyId, at),
            (record) => presentApiKey(record, null),
          );
        },
      }),
      route({
        method: 'post',
        path: '/me/keys',
        access: 'key',
        summary: 'Make a key of the same partner',
        description: CREATION,
        errors: ['too_many_keys'],
        body: MakeKeyBody,
        bodyOptional: true,
        response: ApiKeyResponse,
        status: 201,
        idempotent: 'api_key',
        run: async ({ actor, body }) => {
          const command = {
            name: body.name ?? null,
            scope: body.scope ?? 'manage',
            domains: domainNamesField('domains', body.domains ?? null),
            expiresAt: body.expires_at ?? null,
          } satisfies EveryFieldOf<MakeKeyBody, CreateOwnKeyCommand>;
          const { record, token } = await this.createOwnKey.execute(clientOf(actor), command);
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
            onlyField(body, 'overlap_hours') ?? OVERLAP_HOURS,
          );
          return presentApiKey(record, token);
        },
      }),
    ];
  }
}

export function narrowingOf(body: NarrowKeyBody) {
  return {
    active: body.active,
    expiresAt: body.expires_at,
    name: body.name,
    scope: body.scope,
    domains: body.domains === undefined ? undefined : domainNamesField('domains', body.domains),
  } satisfies EveryFieldOf<NarrowKeyBody, Omit<ApiKeyChanges, keyof KeyLimits>>;
}

/** The access of the routes leaves only keys. */
function clientOf(actor: Actor): Actor & Client {
  if (actor.kind !== 'client') throw new AppError('client_token_required');
  return actor;
}
