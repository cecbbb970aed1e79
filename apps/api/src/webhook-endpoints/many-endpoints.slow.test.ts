import { onEachDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { HOUR_MS } from '@mailstead/core/clock';
import { until } from '@mailstead/core/testing/until';
import type { DeliverWebhooks } from '@mailstead/core/webhooks/deliver-webhooks';
import { WebhookBacklog } from '@mailstead/core/webhooks/webhook-backlog';
import { WebhookEndpoints } from '@mailstead/core/webhooks/webhook-endpoints';
import type { TestApi } from '../testing/api-fixture.js';
import type { Receivers } from './testing/receivers.js';
import { WebhookWorld } from './testing/webhook-world.js';

const PARTNERS = 200;
const ENDPOINTS_OF_PARTNER = 5;
const HANGING = 50;
/** With the hanging ones, more than may be walked at the same time. */
const FAILING = 100;
const MOST_WALKS_OF_FAILING = 100;
const MOST_OPEN_OF_ENDPOINT = 4;
/** Of the walks. More would wait for a connection, and keep it from everything else. */
const MOST_AT_DATABASE = 8;
/** More than may be open at one endpoint. */
const EVENTS = 6;

/** An endpoint: its URL, and the number of its partner. */
interface Endpoint {
  url: string;
  partner: number;
}

onEachDatabase((kind) => {
  describe('of a thousand endpoints, those whose servers hang or fail', () => {
    let world: WebhookWorld;
    let api: TestApi;
    let receivers: Receivers;
    let deliveries: DeliverWebhooks;
    let storing = 0;
    let mostStoring = 0;
    /** The tokens of the partners. */
    const tokens: string[] = [];
    const endpoints: Endpoint[] = Array.from({ length: PARTNERS * ENDPOINTS_OF_PARTNER }, (_, index) => ({
      url: `https://hook${index}.example/`,
      partner: index % PARTNERS,
    }));
    const bad = endpoints.slice(0, HANGING + FAILING);
    const good = endpoints.slice(bad.length);

    beforeAll(async () => {
      world = await WebhookWorld.start(kind);
      ({ api, receivers, deliveries } = world);
      const [backlog, webhooks] = [api.container.get(WebhookBacklog), api.container.get(WebhookEndpoints)];
      backlog.store = watched(backlog.store.bind(backlog));
      webhooks.takeTurns = watched(webhooks.takeTurns.bind(webhooks));
      for (let partner = 0; partner < PARTNERS; partner += 1)
        tokens.push(await api.key(`many${partner}`, { domains_allowed: 0 }));
      for (const { url, partner } of endpoints)
        await api
          .as(tokens[partner] ?? '')
          .post('/webhook-endpoints', { url, types: ['domain.created'] })
          .expect(201);
      await turnUntil('the challenges', () => receivers.received.length === endpoints.length);
      await deliveries.idle();
    });
    afterAll(async () => {
      await deliveries.stop();
      await world.close();
    });

    /** Counts how many calls run at the same time. */
    function watched<Given extends unknown[], Result>(call: (...given: Given) => Promise<Result>) {
      return (...given: Given): Promise<Result> => {
        storing += 1;
        mostStoring = Math.max(storing, mostStoring);
        return call(...given).finally(() => {
          storing -= 1;
        });
      };
    }

    /** Runs turns, as the process does twice a second, until something holds. */
    function turnUntil(what: string, holds: () => boolean): Promise<void> {
      return until(what, async () => {
        await world.turn();
        return holds();
      });
    }

    /** Creates domains of each partner, whose events are those of its endpoints. @returns the names by partner */
    async function happen(round: string): Promise<string[][]> {
      const names = tokens.map((_, partner) =>
        Array.from({ length: EVENTS }, (__, index) => `${round}${index}.many${partner}.example`),
      );
      for (const [partner, token] of tokens.entries())
        for (const name of names[partner] ?? []) await api.as(token).post('/domains/', { name }).expect(201);
      await world.give();
      return names;
    }

    /** What each URL got since `from`. */
    function receivedSince(from: number): Map<string, string[]> {
      const subjects = new Map<string, string[]>();
      for (const { url, body } of receivers.received.slice(from)) {
        const { subject } = JSON.parse(body) as { subject: string };
        subjects.set(url, [...(subjects.get(url) ?? []), subject]);
      }
      return subjects;
    }

    /** Waits until the others got all events of a round, and sees that each came once. */
    async function othersGet(names: string[][], from: number): Promise<void> {
      await turnUntil('the events at the others', () => {
        const received = receivedSince(from);
        return good.every(({ url }) => (received.get(url)?.length ?? 0) >= EVENTS);
      });
      const received = receivedSince(from);
      for (const { url, partner } of good) expect(received.get(url)?.toSorted()).toEqual(names[partner]);
      expect(receivers.mostOpenOfOne).toBe(MOST_OPEN_OF_ENDPOINT);
    }

    it('keep nothing from the others, which get every event once, and few requests are open to each', async () => {
      for (const [index, { url }] of bad.entries())
        receivers.answers.set(url, index < HANGING ? 'hang' : { outcome: 'status', status: 500 });
      const from = receivers.received.length;
      await othersGet(await happen('first'), from);
      await turnUntil('the end of all but the hanging walks', () => receivers.openUrls === HANGING);
      expect(mostStoring).toBeLessThanOrEqual(MOST_AT_DATABASE);
    });

    it('keep nothing from the others when more of them hang than are walked at the same time', async () => {
      await until('the end of the walks that hang', () => {
        receivers.release();
        return receivers.openUrls === 0;
      });
      await deliveries.idle();
      for (const { url } of bad) receivers.answers.set(url, 'hang');
      api.clock.advance(HOUR_MS);
      await turnUntil('as many hanging walks as may be', () => receivers.openUrls === MOST_WALKS_OF_FAILING);
      const from = receivers.received.length;
      await othersGet(await happen('second'), from);
      await turnUntil('no more of them', () => receivers.openUrls === MOST_WALKS_OF_FAILING);
    });
  });
});
