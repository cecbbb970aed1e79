import { AuditLog } from '../audit/audit-log.js';
import { isChange } from '../audit/is-change.js';
import { Clock, HOUR_MS } from '../clock.js';
import { AppError, invalidField } from '../errors.js';
import { needs } from '../needs.js';
import type { Actor } from '../operators/actor.js';
import { UnitOfWork } from '../unit-of-work.js';
import { aboutWebhook, shownWebhook } from './about-webhook.js';
import { WebhookBacklog } from './webhook-backlog.js';
import { isKnownType, MAX_ENDPOINTS, WebhookEndpoint } from './webhook-endpoint.js';
import { WebhookEndpoints } from './webhook-endpoints.js';
import { WebhookLocks } from './webhook-locks.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { WebhookSender } from './webhook-sender.js';

const LONGEST_URL = 2_048;

export type CreateWebhookCommand = Pick<WebhookEndpoint, 'url' | 'types' | 'description'>;

/** A field that is undefined is not changed. */
export interface WebhookChanges {
  url: string | undefined;
  types: readonly string[] | null | undefined;
  description: string | null | undefined;
  active: boolean | undefined;
}

/** An endpoint with its secret, which is shown only when it is made. */
export interface NewSecret {
  endpoint: WebhookEndpoint;
  secret: string;
}

/** Creates, changes and deletes endpoints. */
@needs(UnitOfWork, WebhookLocks, WebhookEndpoints, WebhookBacklog, WebhookSecrets, WebhookSender, AuditLog, Clock)
export class ChangeWebhook {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly locks: WebhookLocks,
    private readonly endpoints: WebhookEndpoints,
    private readonly backlog: WebhookBacklog,
    private readonly secrets: WebhookSecrets,
    private readonly sender: WebhookSender,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError validation_failed, too_many_webhooks, key_limited_to_domains, link_not_allowed */
  create(actor: Actor, { url, types, description }: CreateWebhookCommand): Promise<NewSecret> {
    const values = { url: this.usableUrl(url), types: knownTypes(types), description };
    return this.unitOfWork.run(async () => {
      const { partnerId, keyId } = await this.locks.maker(actor);
      if (partnerId === null) await this.endpoints.lockOperators();
      if ((await this.endpoints.countOf(partnerId)) >= MAX_ENDPOINTS) throw new AppError('too_many_webhooks');
      const createdAt = this.clock.now();
      const partnerRef = actor.kind === 'client' ? actor.partnerRef : null;
      const endpoint = await this.endpoints.add(
        WebhookEndpoint.create({ ...values, partnerId, partnerRef, keyId, createdAt }),
      );
      const secret = this.secrets.create();
      endpoint.secret = this.secrets.seal(secret, endpoint.id);
      await this.endpoints.save(endpoint);
      const entry = aboutWebhook(endpoint, 'webhook.create', { after: shownWebhook(endpoint) });
      await this.audit.append(actor, createdAt, entry);
      return { endpoint, secret };
    });
  }

  /** @throws AppError webhook_not_found, validation_failed, key_limited_to_domains, link_not_allowed */
  update(actor: Actor, id: number, changes: WebhookChanges): Promise<WebhookEndpoint> {
    const url = changes.url === undefined ? undefined : this.usableUrl(changes.url);
    const types = changes.types === undefined ? undefined : knownTypes(changes.types);
    return this.unitOfWork.run(async () => {
      const { keyId } = await this.locks.maker(actor);
      const endpoint = await this.locks.lockOwn(actor, id);
      const before = shownWebhook(endpoint);
      const now = this.clock.now();
      const isElsewhere = url !== undefined && url !== endpoint.url;
      if (isElsewhere) endpoint.url = url;
      if (types !== undefined) endpoint.types = types;
      if (changes.description !== undefined) endpoint.description = changes.description;
      if (changes.active !== undefined) await this.switch(endpoint, changes.active, keyId, now);
      if (isElsewhere && endpoint.status !== 'disabled') endpoint.unconfirm(now, await this.backlog.told());
      else if (isElsewhere) endpoint.confirmedAt = null;
      await this.endpoints.save(endpoint);
      await this.endpoints.holdFailed(id, endpoint.status === 'disabled');
      const after = shownWebhook(endpoint);
      if (isElsewhere || isChange({ before, after })) {
        const action =
          endpoint.status === 'disabled' && before.status !== 'disabled' ? 'webhook.disable' : 'webhook.update';
        await this.audit.append(actor, now, aboutWebhook(endpoint, action, { before, after }));
      }
      return endpoint;
    });
  }

  /** @throws AppError webhook_not_found */
  remove(actor: Actor, id: number): Promise<void> {
    return this.unitOfWork.run(async () => {
      const endpoint = await this.locks.lock(actor, id);
      await this.endpoints.remove(id);
      const entry = aboutWebhook(endpoint, 'webhook.delete', { before: shownWebhook(endpoint) });
      await this.audit.append(actor, this.clock.now(), entry);
    });
  }

  /**
   * @param overlapHours how long the former secret signs too
   * @throws AppError webhook_not_found
   */
  rotate(actor: Actor, id: number, overlapHours: number): Promise<NewSecret> {
    return this.unitOfWork.run(async () => {
      await this.locks.maker(actor);
      const endpoint = await this.locks.lockOwn(actor, id);
      const now = this.clock.now();
      const secret = this.secrets.create();
      endpoint.formerSecret = overlapHours === 0 ? null : endpoint.secret;
      endpoint.formerUntil = overlapHours === 0 ? null : new Date(now.getTime() + overlapHours * HOUR_MS);
      endpoint.secret = this.secrets.seal(secret, id);
      await this.endpoints.save(endpoint);
      const former = { former_secret_until: endpoint.formerUntil };
      await this.audit.append(actor, now, aboutWebhook(endpoint, 'webhook.rotate', { before: {}, after: former }));
      return { endpoint, secret };
    });
  }

  /** An endpoint whose key has ended belongs to the key that starts it again, and is confirmed anew. */
  private async switch(endpoint: WebhookEndpoint, isOn: boolean, keyId: number | null, now: Date): Promise<void> {
    if (!isOn) {
      if (endpoint.status !== 'disabled') endpoint.disable('partner', await this.backlog.told());
      return;
    }
    if (endpoint.status !== 'disabled') return;
    const isTakenOver = endpoint.disabledReason === 'key_ended';
    if (isTakenOver) endpoint.keyId = keyId;
    if (isTakenOver || endpoint.confirmedAt === null) endpoint.unconfirm(now, await this.backlog.told());
    else endpoint.resume();
  }

  private usableUrl(text: string): string {
    const tooLong = `must have at most ${LONGEST_URL} characters, with its escapes`;
    const refusal = text.length > LONGEST_URL ? tooLong : this.sender.refusalOf(text);
    if (refusal !== null) throw invalidField('url', refusal);
    const { href } = new URL(text);
    if (href.length > LONGEST_URL) throw invalidField('url', tooLong);
    return href;
  }
}

function knownTypes(types: readonly string[] | null): readonly string[] | null {
  if (types === null) return null;
  if (types.length === 0) throw invalidField('types', 'must name at least one type; null is all');
  const unknown = types.find((type) => !isKnownType(type));
  if (unknown !== undefined)
    throw invalidField('types', `${JSON.stringify(unknown)} is no type of events, nor <noun>.*`);
  return [...new Set(types)];
}
