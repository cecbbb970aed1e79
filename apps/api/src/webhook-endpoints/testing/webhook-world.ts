import type { DatabaseKind } from '@mailstead/adapters/database/testing/database-fixture';
import { EventPositioner } from '@mailstead/adapters/events/event-positioner';
import { DeliverWebhooks } from '@mailstead/core/webhooks/deliver-webhooks';
import { WebhookSender } from '@mailstead/core/webhooks/webhook-sender';
import { startTestApi, type TestApi } from '../../testing/api-fixture.js';
import { Receivers } from './receivers.js';

/** The API of a test that posts its webhooks to `receivers`, when the test says so. */
export class WebhookWorld {
  readonly receivers = new Receivers();
  private partners = 0;

  private constructor(readonly api: TestApi) {
    this.postWith(this.receivers.post);
  }

  static async start(kind: DatabaseKind): Promise<WebhookWorld> {
    return new WebhookWorld(await startTestApi(kind));
  }

  /** A world in the place of another process of the same service. */
  static of(api: TestApi): WebhookWorld {
    return new WebhookWorld(api);
  }

  get deliveries(): DeliverWebhooks {
    return this.api.container.get(DeliverWebhooks);
  }

  postWith(post: WebhookSender['post']): void {
    Object.assign(this.api.container.get(WebhookSender), { post });
  }

  /** Gives their positions to all events. */
  give(): Promise<void> {
    return this.api.container.get(EventPositioner).giveAll();
  }

  /** Begins the walks of the endpoints that are due, and does not wait for their end. */
  turn(): Promise<void> {
    return this.deliveries.turn(async () => undefined);
  }

  /** Runs the turns of the process that delivers, each to the end of its walks. */
  async deliver(turns = 3): Promise<void> {
    await this.give();
    for (let turn = 0; turn < turns; turn += 1) {
      await this.turn();
      await this.deliveries.idle();
    }
  }

  /** A new partner with a key. */
  async aPartner(name = 'hooked') {
    this.partners += 1;
    const ref = `${name}${this.partners}`;
    const token = await this.api.key(ref, { domains_allowed: 0 });
    return { ref, token, client: this.api.as(token) };
  }

  /** A new partner with an active endpoint, by default for new domains. */
  async anEndpoint(name: string, fields: { url?: string; types?: string[] | null } = {}) {
    const partner = await this.aPartner(name);
    const { url = `https://${name}.example/`, types = ['domain.created'] } = fields;
    const { body } = await partner.client.post('/webhook-endpoints', { url, types }).expect(201);
    await this.deliver();
    const { id, secret } = body as { id: number; secret: string };
    return { ...partner, url, id, secret, path: `/webhook-endpoints/${id}` };
  }

  close(): Promise<void> {
    return this.api.close();
  }
}
