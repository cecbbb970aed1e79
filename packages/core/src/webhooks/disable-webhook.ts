import { AuditLog } from '../audit/audit-log.js';
import { Clock } from '../clock.js';
import { needs } from '../needs.js';
import { systemActor } from '../operators/actor.js';
import { UnitOfWork } from '../unit-of-work.js';
import { aboutWebhook, shownWebhook } from './about-webhook.js';
import { WebhookBacklog } from './webhook-backlog.js';
import type { DisabledReason, WebhookEndpoint } from './webhook-endpoint.js';
import { WebhookEndpoints } from './webhook-endpoints.js';

/** Ends the deliveries to an endpoint, until somebody starts them again. What failed is kept. */
@needs(UnitOfWork, WebhookEndpoints, WebhookBacklog, AuditLog, Clock)
export class DisableWebhook {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly endpoints: WebhookEndpoints,
    private readonly backlog: WebhookBacklog,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /**
   * Does nothing when it is disabled already, or gone, or when what gave the reason has changed since: then the next
   * walk finds out.
   *
   * @param known the endpoint as it was when the reason was found
   */
  execute(known: Pick<WebhookEndpoint, 'id' | 'url' | 'keyId' | 'secret'>, reason: DisabledReason): Promise<void> {
    const { id, url, keyId, secret } = known;
    return this.unitOfWork.run(async () => {
      const endpoint = await this.endpoints.lock(id);
      if (endpoint === null || endpoint.status === 'disabled') return;
      if (endpoint.url !== url || endpoint.keyId !== keyId || endpoint.secret !== secret) return;
      const before = shownWebhook(endpoint);
      endpoint.disable(reason, await this.backlog.told());
      await this.endpoints.save(endpoint);
      await this.endpoints.holdFailed(id, true);
      const after = shownWebhook(endpoint);
      const entry = aboutWebhook(endpoint, 'webhook.disable', { before, after });
      await this.audit.append(systemActor('webhooks'), this.clock.now(), entry);
    });
  }
}
