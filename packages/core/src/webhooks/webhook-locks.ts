import { ApiKeyRepository } from '../api-keys/api-key-repository.js';
import { AppError } from '../errors.js';
import { needs } from '../needs.js';
import type { Actor } from '../operators/actor.js';
import { PartnerRepository } from '../partners/partner-repository.js';
import type { WebhookEndpoint } from './webhook-endpoint.js';
import { WebhookEndpoints } from './webhook-endpoints.js';

/** Finds and locks endpoints for a caller: a client those of its partner, master all. */
@needs(WebhookEndpoints, PartnerRepository, ApiKeyRepository)
export class WebhookLocks {
  constructor(
    private readonly endpoints: WebhookEndpoints,
    private readonly partners: PartnerRepository,
    private readonly apiKeys: ApiKeyRepository,
  ) {}

  /**
   * Locks the maker of a new endpoint: a client's partner and key. Operators have none.
   *
   * @throws AppError invalid_token (the key was deleted meanwhile), key_limited_to_domains, link_not_allowed
   */
  async maker(actor: Actor): Promise<{ partnerId: number | null; keyId: number | null }> {
    if (actor.kind !== 'client') return { partnerId: null, keyId: null };
    if (actor.credential.kind !== 'key') throw new AppError('link_not_allowed');
    await this.partners.lock(actor.partnerId);
    const record = await this.apiKeys.record({ id: actor.credential.id });
    if (record === null) throw new AppError('invalid_token');
    if (record.chain.domainIds !== null) throw new AppError('key_limited_to_domains');
    return { partnerId: actor.partnerId, keyId: record.id };
  }

  /** @throws AppError webhook_not_found */
  async find(actor: Actor, id: number): Promise<WebhookEndpoint> {
    return seenBy(actor, await this.endpoints.find(id));
  }

  /** @throws AppError webhook_not_found */
  async lock(actor: Actor, id: number): Promise<WebhookEndpoint> {
    return seenBy(actor, await this.endpoints.lock(id));
  }

  /** Locks an endpoint that the caller may change: master none of a partner. @throws AppError webhook_not_found */
  async lockOwn(actor: Actor, id: number): Promise<WebhookEndpoint> {
    const endpoint = await this.lock(actor, id);
    const isOwn = actor.kind === 'client' || endpoint.partnerId === null;
    if (!isOwn) throw new AppError('client_token_required');
    return endpoint;
  }
}

function seenBy(actor: Actor, endpoint: WebhookEndpoint | null): WebhookEndpoint {
  const isSeen = endpoint !== null && (actor.kind !== 'client' || endpoint.partnerId === actor.partnerId);
  if (!isSeen) throw new AppError('webhook_not_found');
  return endpoint;
}
