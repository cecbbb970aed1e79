import type { Parameter } from '@mailstead/adapters/database/driver/database';
import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { EventPositioner } from '@mailstead/adapters/events/event-positioner';
import { DAY_MS } from '@mailstead/core/clock';
import { EventFeed } from '@mailstead/core/events/event-feed';
import { PurgeRecords } from '@mailstead/core/jobs/purge-records';
import { ProcessRelayEvents } from '@mailstead/core/relay-events/process-relay-events';
import { BILLING, MASTER, POLICY, READ, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { bounceOf, postSigned, WEBHOOK_SECRET } from '../testing/relay-events.js';

const PASSWORD_HASH = '$2b$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';
interface Shown {
  id: number;
  type: string;
  subject: string;
  partner_ref: string | null;
  domain: string | null;
  actor_kind: string;
  actor: string;
  data: Record<string, unknown>;
}
const EVENTS = 20_900;
const MOST_LOOKED_AT = 20_000;
const RARE = 'partner.activated';

onHttpDatabase((kind) => {
  describe('the events', () => {
    let api: TestApi;
    let acme: string;
    let other: string;

    beforeAll(async () => {
      api = await startTestApi(kind, { RELAY_WEBHOOK_SECRET: WEBHOOK_SECRET });
      acme = await api.key('acme', { domains_allowed: 0 });
      other = await api.key('other', { domains_allowed: 0 });
      const client = api.as(acme);
      await client.post('/domains/', { name: 'acme.example' }).expect(201);
      await client.post('/users/', { email: 'info@acme.example', password_hash: PASSWORD_HASH }).expect(201);
      await client.post('/aliases/', { address: 'a@acme.example', destination: 'info@acme.example' }).expect(201);
      await api.as(MASTER).put('/domains/acme.example/suspend', { cause: 'abuse' }).expect(200);
      await api.as(MASTER).put('/domains/acme.example/activate', {}).expect(200);
      await api.as(other).post('/domains/', { name: 'other.example' }).expect(201);
      await api.as(MASTER).put('/outbound/tiers/basic', { daily_limit: 201, monthly_limit: 3000 }).expect(200);
    });
    afterAll(() => api.close());

    async function events(token: string, query = ''): Promise<Shown[]> {
      await api.container.get(EventPositioner).giveAll();
      return (await api.as(token).get(`/events${query}`).expect(200)).body as Shown[];
    }
    const typesOf = (found: Shown[]) => found.map(({ type, subject }) => `${type} ${subject}`);

    it('shows a partner what happened to its own things, and master what happened to all', async () => {
      const own = await events(acme);
      expect(typesOf(own)).toEqual([
        'key.created clie…6789',
        'domain.created acme.example',
        'mailbox.created info@acme.example',
        'alias.created a@acme.example',
        'domain.suspended acme.example',
        'domain.activated acme.example',
      ]);
      expect(typesOf(await events(other))).toEqual(['key.created clie…6789', 'domain.created other.example']);
      const all = await events(MASTER);
      expect(all).toHaveLength(8);
      expect(await events(READ)).toEqual(all);
      expect(typesOf(await events(MASTER, '?partner_ref=acme'))).toEqual(typesOf(own));
      expect(await events(MASTER, '?partner_ref=nobody')).toEqual([]);
      expect(await events(acme, '?partner_ref=other')).toEqual([]);
      for (const token of [BILLING, POLICY]) await api.as(token).get('/events').expect(403);
    });

    it('names the operator to operators only', async () => {
      const [own] = await events(acme, '?types=domain.suspended');
      expect(own).toMatchObject({
        actor_kind: 'operator',
        actor: 'operator',
        data: { before: { suspension_causes: [] } },
      });
      const [seen] = await events(MASTER, '?types=domain.suspended');
      expect(seen).toMatchObject({ actor_kind: 'master', actor: 'master' });
      const [made] = await events(acme, '?types=domain.created');
      expect(made).toMatchObject({ actor_kind: 'client', actor: 'key:1', partner_ref: 'acme', domain: 'acme.example' });
      expect(Object.keys(made ?? {})).toEqual('id type at partner_ref domain subject actor_kind actor data'.split(' '));
    });

    it('filters by type and domain, in both directions and page by page', async () => {
      expect(typesOf(await events(acme, '?types=mailbox.created,alias.created&order=desc'))).toEqual([
        'alias.created a@acme.example',
        'mailbox.created info@acme.example',
      ]);
      expect(await events(acme, '?domain=acme.example')).toHaveLength(5);
      expect(await events(MASTER, '?domain=other.example')).toHaveLength(1);
      expect(await events(acme, '?domain=other.example')).toEqual([]);
      await api.as(acme).get('/events?types=domain.created,nonsense').expect(422);
      await api.as(acme).get('/events?types=').expect(422);
      const all = await events(acme);
      const seen: Shown[] = [];
      for (let after = 0; ; ) {
        const next = await events(acme, `?limit=2&after=${after}`);
        if (next.length === 0) break;
        seen.push(...next);
        after = next.at(-1)?.id ?? 0;
      }
      expect(seen).toEqual(all);
      expect(await events(acme, '?order=desc')).toEqual([...all].reverse());
      expect(await events(acme, `?order=desc&limit=2&after=${all[2]?.id}`)).toEqual([all[1], all[0]]);
    });

    it('gives each side of a move its own event, which does not name the other', async () => {
      await api.as(acme).post('/domains/', { name: 'moving.example' }).expect(201);
      await api.as(MASTER).put('/domains/moving.example/partner', { partner_ref: 'other' }).expect(200);
      await api.as(other).put('/domains/moving.example/suspend', {}).expect(200);
      const left = await events(acme, '?domain=moving.example');
      expect(typesOf(left)).toEqual(['domain.created moving.example', 'domain.moved moving.example']);
      expect(left[1]?.data).toEqual({ before: { partner_ref: 'acme' }, after: null });
      const joined = await events(other, '?domain=moving.example');
      expect(typesOf(joined)).toEqual(['domain.moved moving.example', 'domain.suspended moving.example']);
      expect(joined[0]?.data).toEqual({ before: null, after: { partner_ref: 'other' } });
      expect(JSON.stringify(left)).not.toContain('other');
      expect(JSON.stringify(joined)).not.toContain('acme');
    });

    it('shows a block and its end as events of their own', async () => {
      const master = api.as(MASTER);
      await master.put('/domains/acme.example/outbound', { outbound_status: 'blocked' }).expect(200);
      await master.put('/domains/acme.example/outbound', { outbound_tier: 'high' }).expect(200);
      await master.put('/domains/acme.example/outbound', { outbound_status: 'active' }).expect(200);
      expect(typesOf((await events(acme)).slice(-3))).toEqual([
        'domain.outbound_blocked acme.example',
        'domain.updated acme.example',
        'domain.outbound_unblocked acme.example',
      ]);
      const actions = (await master.get('/audit?action=domain.configure_outbound').expect(200)).body as unknown[];
      expect(actions).toHaveLength(3);
    });

    it('has an event when a limit is reached, once at 80 % and once at 100 %', async () => {
      await api.as(MASTER).put('/domains/acme.example/outbound', { daily_limit: 10 }).expect(200);
      const send = (count: number) =>
        api.as(POLICY).post('/domains/acme.example/outbound/increment', { count, record: true }).expect(200);
      for (const count of [7, 1, 1, 1, 1]) await send(count);
      const reached = await events(acme, '?types=domain.limit_reached');
      expect(reached.map(({ data }) => data)).toEqual([
        { limit: 'daily', percent: 80, used: 8, limit_value: 10 },
        { limit: 'daily', percent: 100, used: 10, limit_value: 10 },
      ]);
      expect(reached[0]).toMatchObject({ actor_kind: 'system', actor: 'outbound', domain: 'acme.example' });
    });

    it('shows a caller that is limited to some domains these rows of domains alone, and no name from another', async () => {
      const client = api.as(acme);
      for (const name of ['one.example', 'two.example']) {
        await client.post('/domains/', { name }).expect(201);
        await client.post('/users/', { email: `box@${name}`, password_hash: PASSWORD_HASH }).expect(201);
      }
      const limited = await api.key('acme', { domains: ['one.example'] });
      const both = await api.key('acme', { domains: ['one.example', 'two.example'] });
      const none = await api.key('acme', { domains: [] }).catch(() => null);
      expect(none).toBeNull();
      await client.post('/aliases/', { address: 'x@one.example', destination: 'box@two.example' }).expect(201);
      await client.post('/aliases/', { address: 'y@one.example', destination: 'box@one.example' }).expect(201);
      const own = await events(limited);
      expect(typesOf(own)).toEqual([
        'domain.created one.example',
        'mailbox.created box@one.example',
        'alias.created x@one.example',
        'alias.created y@one.example',
      ]);
      expect(own.slice(2).map(({ data }) => data.after)).toEqual([
        { destination: null },
        { destination: 'box@one.example' },
      ]);
      expect(JSON.stringify(own)).not.toContain('two.example');
      expect(await events(limited, '?domain=two.example')).toEqual([]);
      expect(await events(both)).toHaveLength(6);
      // The row was moved away and back; what happened under the other partner is not for this one.
      await client.delete('/aliases/x@one.example').expect(204);
      await api.as(MASTER).put('/domains/one.example/partner', { partner_ref: 'other' }).expect(200);
      expect(await events(limited)).toEqual([]);
      await api.as(other).put('/domains/one.example/suspend', {}).expect(200);
      await api.as(MASTER).put('/domains/one.example/partner', { partner_ref: 'acme' }).expect(200);
      const again = await api.key('acme', { domains: ['one.example'] });
      expect(typesOf(await events(again)).slice(-3)).toEqual([
        'alias.deleted x@one.example',
        'domain.moved one.example',
        'domain.moved one.example',
      ]);
      // A domain made anew under the name is another row.
      await client.delete('/domains/one.example').expect(204);
      await client.post('/domains/', { name: 'one.example' }).expect(201);
      expect(await events(again)).toEqual([]);
      const anew = await api.key('acme', { domains: ['one.example'] });
      expect(typesOf(await events(anew))).toEqual(['domain.created one.example']);
    });

    it('has an event for each recipient that is counted, with what the bounce says, and none in the audit log', async () => {
      api.clock.advance(60_000);
      const at = api.clock.now();
      const changes = (await api.as(MASTER).get('/audit').expect(200)).body as unknown[];
      const payload = bounceOf('acme.example', ['jane@example.net', 'joe@example.net'], { messageId: 'm-1', at });
      expect(await postSigned(api.url, payload, { at })).toBe(200);
      expect(await postSigned(api.url, payload, { at })).toBe(200);
      await api.container.get(ProcessRelayEvents).execute();
      const bounced = await events(acme, '?types=message.bounced,message.complained');
      expect(bounced.map(({ data }) => data)).toEqual(
        ['jane@example.net', 'joe@example.net'].map((recipient) => ({
          recipient,
          sender: 'news@acme.example',
          kind: 'permanent',
          subtype: 'General',
          diagnostic: null,
          message_id: 'm-1',
          occurred_at: at.toISOString().replace('Z', ''),
        })),
      );
      expect(bounced[0]).toMatchObject({ domain: 'acme.example', actor_kind: 'system', actor: 'relay' });
      expect(await events(other, '?types=message.bounced')).toEqual([]);
      expect((await api.as(MASTER).get('/audit').expect(200)).body).toEqual(changes);
      // What a former partner's people sent is no event of the present partner.
      api.clock.advance(60_000);
      await api.as(MASTER).put('/domains/acme.example/partner', { partner_ref: 'other' }).expect(200);
      const late = bounceOf('acme.example', ['late@example.net'], { at });
      expect(await postSigned(api.url, late, { at: api.clock.now() })).toBe(200);
      await api.container.get(ProcessRelayEvents).execute();
      expect(JSON.stringify(await events(MASTER))).not.toContain('late@example.net');
      await api.as(MASTER).put('/domains/acme.example/partner', { partner_ref: 'acme' }).expect(200);
    });

    it('keeps from clients what operators note for themselves', async () => {
      await api.as(MASTER).put('/domains/acme.example/plan', { plan: 'business' }).expect(200);
      await api.database.write("UPDATE audit_log SET value_after = ? WHERE action = 'domain.change_plan'", [
        JSON.stringify({ plan: 'business', billing_ref: 'sub_1' }),
      ]);
      const [shown] = await events(acme, '?domain=acme.example&order=desc&limit=1');
      expect(shown?.data.after).toEqual({ plan: 'business' });
      const [seen] = await events(MASTER, '?domain=acme.example&order=desc&limit=1');
      expect(seen?.data.after).toEqual({ plan: 'business', billing_ref: 'sub_1' });
    });

    it('begins at the oldest event that is kept, and refuses a position before it', async () => {
      const all = await events(MASTER);
      const last = all.at(-1)?.id ?? 0;
      api.clock.advance(91 * DAY_MS);
      await api.as(acme).post('/domains/', { name: 'later.example' }).expect(201);
      const [later] = await events(acme, '?domain=later.example');
      await api.container.get(PurgeRecords).execute();
      expect(await events(MASTER)).toEqual(await events(MASTER, `?after=${last}`));
      expect(typesOf(await events(MASTER))).toEqual(['domain.created later.example']);
      expect(await api.container.get(EventFeed).bounds()).toEqual({ first: last + 1, last: later?.id });
      const { body } = await api
        .as(acme)
        .get(`/events?after=${last - 1}`)
        .expect(410);
      expect(body).toMatchObject({ code: 'events_gone' });
      expect(await events(acme, `?order=desc&after=${last}`)).toEqual([]);
      // The changes stay in the audit log for AUDIT_DAYS, and what is no change is deleted.
      expect(((await api.as(MASTER).get('/audit').expect(200)).body as unknown[]).length).toBeGreaterThan(10);
    });

    it('caused no defect', () => {
      expect(api.log.defects).toEqual([]);
    });
  });

  describe('a list of events that are rare', () => {
    let api: TestApi;
    let acme: string;

    beforeAll(async () => {
      api = await startTestApi(kind);
      acme = await api.key('acme', { domains_allowed: 0 });
      const { database } = api;
      const [partner] = await database.read("SELECT id FROM partner WHERE ref = 'acme'");
      const [before] = await database.read('SELECT MAX(id) AS id FROM audit_log');
      // Every thirtieth event is of another partner, and the last one of acme is the only one of its type.
      await database.write(
        `INSERT INTO audit_log (changed_at, actor_kind, actor, action, partner_ref, partner_id, domain, subject, event_type, position)
         SELECT n, 'client', 'key:1', 'domain.update', 'acme', CASE WHEN n % 30 = 0 THEN 0 ELSE ? END, 'a.example', 's',
                CASE WHEN n = ${EVENTS - 1} THEN '${RARE}' ELSE 'domain.updated' END, n
           FROM (SELECT a.i + 30 * b.i + 900 * c.i + 1 AS n FROM ${digits('a')}, ${digits('b')}, ${digits('c')}) AS numbers
          WHERE n <= ${EVENTS}`,
        [Number(partner?.id)],
      );
      await database.write('UPDATE audit_log SET position = NULL WHERE id <= ?', [Number(before?.id)]);
      await database.write(
        'UPDATE event_position SET last_position = ?, first_kept = 1, before_audit_id = ? WHERE id = 1',
        [EVENTS, Number(before?.id)],
      );
    });
    afterAll(() => api.close());

    const digits = (name: string) =>
      `(SELECT ${Array.from({ length: 30 }, (_, index) => `${index} AS i`).join(' UNION ALL SELECT ')}) AS ${name}`;

    /**
     * Follows the links. @returns the sizes of the pages, what was found, and the positions that the longest page
     * looked at
     */
    async function follow(token: string, query: string) {
      const read = api.database.read.bind(api.database);
      let looked = 0;
      const seen = { sizes: [] as number[], ids: [] as number[], mostLooked: 0 };
      api.database.read = (sql: string, parameters: Parameter[] = []) => {
        looked += (/position IN \(([?, ]+)\)/.exec(sql)?.[1] ?? '').split('?').length - 1;
        return read(sql, parameters);
      };
      try {
        for (let path: string | undefined = `/events?limit=50&${query}`; path !== undefined; ) {
          looked = 0;
          const answer: { body: { id: number }[]; headers: { link?: string } } = await api
            .as(token)
            .get(path)
            .expect(200);
          seen.sizes.push(answer.body.length);
          seen.ids.push(...answer.body.map(({ id }) => id));
          seen.mostLooked = Math.max(seen.mostLooked, looked);
          path = /<(.+)>; rel="next"/.exec(answer.headers.link ?? '')?.[1];
        }
      } finally {
        Object.assign(api.database, { read });
      }
      return seen;
    }

    it.each([
      ['of a client', () => acme, `types=${RARE}`],
      ['of master', () => MASTER, `types=${RARE}`],
      ['of a partner, for master', () => MASTER, `types=${RARE}&partner_ref=acme`],
      ['of a domain', () => acme, `types=${RARE}&domain=a.example`],
      ['of a client, newest first', () => acme, `types=${RARE}&order=desc`],
    ])(
      'looks at no more than 20,000 positions in a request, and links to where it goes on: %s',
      async (_, token, query) => {
        const { sizes, ids, mostLooked } = await follow(token(), query);
        expect(ids).toEqual([EVENTS - 1]);
        expect(sizes.length).toBeGreaterThan(1);
        // One more statement reads the event that was found.
        expect(mostLooked).toBeLessThanOrEqual(MOST_LOOKED_AT + 1);
      },
    );

    it('has full pages of frequent events', async () => {
      const answer = await api.as(acme).get('/events?limit=50&after=100&types=domain.updated').expect(200);
      expect(answer.body).toHaveLength(50);
      expect(answer.headers.link).toContain('after=');
    });
  });
});
