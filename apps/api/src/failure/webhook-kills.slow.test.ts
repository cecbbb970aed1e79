import { onEachDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { until } from '@mailstead/core/testing/until';
import { draws } from '../../../../scripts/fast-check.mjs';
import { WebhookReceivers } from '../../../../scripts/webhook-receivers.mjs';
import { CHILD_MASTER } from '../testing/child-service.js';
import { type DeliveringProcesses, startDelivering } from '../webhook-endpoints/testing/delivering-processes.js';

const KILLS = 8;
/** The receipts between two kills. */
const MOST_BETWEEN = 60;
/** An endpoint gets ten a second, so more only takes longer. */
const MOST_DOMAINS = 150;

/** How often the time is set ahead for what is missing in the end. */
const SET_AHEAD_EVERY_MS = 60_000;

/** As if the time had passed after which another process takes over, and after which failed deliveries are due. */
const TIME_HAS_PASSED = [
  'UPDATE webhook_endpoint SET claimed_until = NULL',
  'UPDATE webhook_delivery SET next_at = 0',
  "UPDATE webhook_endpoint SET wake_at = 0 WHERE status = 'active'",
];

interface ShownEvent {
  id: number;
  type: string;
}

/** An endpoint, and the types that it wants. */
interface Endpoint {
  host: string;
  token: string;
  id: number;
  types: string[] | null;
}

onEachDatabase((kind) => {
  describe('the processes that deliver webhooks are killed again and again', () => {
    let receivers: WebhookReceivers;
    let processes: DeliveringProcesses;
    /** The ids of deliveries that a server refused once. */
    const refused = new Set<string>();

    beforeAll(async () => {
      receivers = await WebhookReceivers.start();
      // The servers of hosts with this name refuse the first try of every third event.
      receivers.answer = (host, id) => {
        if (!host.startsWith('fails') || refused.has(id) || Number.parseInt(id, 10) % 3 !== 0) return 200;
        refused.add(id);
        return 500;
      };
      processes = await startDelivering(kind, { SANDBOX_VERIFY_AFTER: '0', ...receivers.environment });
    });
    afterAll(async () => {
      await processes?.stop();
      receivers?.stop();
    });

    /** Calls the API, which may be killed before it answers. */
    async function insist(method: string, path: string, body: unknown, token: string, accepted: number[]) {
      let answer: { status: number; body: Record<string, unknown> } | undefined;
      const isAccepted = async () => {
        answer = await processes.api.call(method, path, body, token);
        return accepted.includes(answer.status);
      };
      await until(`${method} ${path}`, isAccepted);
      return answer?.body ?? {};
    }

    async function aPartner(ref: string): Promise<string> {
      const token = `key-of-${ref}-0123456789-abcdefghij`;
      const limits = { domains_allowed: 0, mailboxes_per_domain: 1, aliases_per_mailbox: 1 };
      await insist('POST', '/api-keys/', { token, partner_ref: ref, ...limits }, CHILD_MASTER, [201]);
      return token;
    }

    async function anEndpoint(host: string, token: string, types: string[] | null): Promise<Endpoint> {
      const made = await insist('POST', '/webhook-endpoints', { url: `https://${host}/`, types }, token, [201]);
      const id = Number(made.id);
      await until(`the confirmation of ${host}`, async () => {
        const { body } = await processes.api.call('GET', `/webhook-endpoints/${id}`, undefined, token);
        return body.status === 'active';
      });
      return { host, token, id, types };
    }

    /** What the owner of an endpoint sees of the feed after a position, as far as the endpoint wants it. */
    async function feedOf({ token, types }: Endpoint, start: number): Promise<ShownEvent[]> {
      const events: ShownEvent[] = [];
      for (;;) {
        const after = events.at(-1)?.id ?? start;
        const { body } = await processes.api.call('GET', `/events?limit=500&after=${after}`, undefined, token);
        const page = body as unknown as ShownEvent[];
        if (page.length === 0) break;
        events.push(...page);
      }
      const nouns = types?.map((type) => type.replace('*', ''));
      return events.filter(({ type }) => nouns?.some((noun) => type.startsWith(noun)) ?? true);
    }

    /** The bodies of the events that a server took, by position. */
    function takenBy({ host, id }: Endpoint): Map<number, string> {
      const events = receivers.taken(host).filter((each) => /^\d+-/.test(each.id));
      expect(events.filter((each) => !each.id.endsWith(`-${id}`))).toEqual([]);
      return new Map(events.map((each) => [Number.parseInt(each.id, 10), each.body]));
    }

    /** The positions that a server has yet to take. */
    function missingAt(endpoint: Endpoint, shown: readonly ShownEvent[]): number[] {
      const taken = takenBy(endpoint);
      return shown.map(({ id }) => id).filter((position) => !taken.has(position));
    }

    it('each endpoint gets every event that GET /events shows its owner, and no other', async () => {
      const [one, two] = [await aPartner('one'), await aPartner('two')];
      const endpoints = [
        await anEndpoint('all.hooks.test', one, null),
        await anEndpoint('fails.hooks.test', one, null),
        await anEndpoint('some.hooks.test', one, ['domain.created', 'alias.*']),
        await anEndpoint('fails-too.hooks.test', two, ['domain.*']),
        await anEndpoint('operators.hooks.test', CHILD_MASTER, null),
      ];
      const newest = await insist('GET', '/events?order=desc&limit=1', undefined, CHILD_MASTER, [200]);
      const start = (newest as unknown as ShownEvent[])[0]?.id ?? 0;
      const load = { hasEnded: false };
      const callers = [one, two].map(async (token, partner) => {
        for (let made = 0; made < MOST_DOMAINS && !load.hasEnded; made += 1)
          // A creation whose answer a kill has swallowed is there already: 400 `domain_exists`.
          await insist('POST', '/domains/', { name: `d${made}.p${partner}.example` }, token, [201, 400]);
      });
      const { below } = draws();
      const killedAt: number[] = [];
      while (killedAt.length < KILLS) {
        const next = receivers.received.length + 1 + below(MOST_BETWEEN - 1);
        await until(`receipt ${next}`, () => receivers.received.length >= next);
        killedAt.push(receivers.received.length);
        await processes.replace(TIME_HAS_PASSED);
      }
      load.hasEnded = true;
      await Promise.all(callers);
      await processes.replace(TIME_HAS_PASSED);
      for (const endpoint of endpoints) {
        const shown = await feedOf(endpoint, start);
        expect(shown.length).toBeGreaterThan(20);
        let setAheadAt = performance.now();
        await until(`all events at ${endpoint.host}, after kills at ${killedAt.join(', ')}`, async () => {
          if (missingAt(endpoint, shown).length === 0) return true;
          if (performance.now() - setAheadAt < SET_AHEAD_EVERY_MS) return false;
          // On a busy machine a delivery may time out twice, and is then due in minutes.
          await processes.replace(TIME_HAS_PASSED);
          setAheadAt = performance.now();
          return false;
        });
        const taken = takenBy(endpoint);
        const later = new Map((await feedOf(endpoint, 0)).map((event) => [event.id, event]));
        for (const [position, body] of taken) expect(JSON.parse(body)).toEqual(later.get(position));
      }
    });
  });
});
