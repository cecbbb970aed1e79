import { randomUUID } from 'node:crypto';
import { onEachDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { DAY_MS } from '@mailstead/core/clock';
import { ExpirePendingDomains } from '@mailstead/core/domains/expire-pending-domains';
import { RemindRetention } from '@mailstead/core/domains/remind-retention';
import { ProcessRelayEvents } from '@mailstead/core/relay-events/process-relay-events';
import { sampleSize } from '@mailstead/core/testing/sampled';
import type { Response } from 'supertest';
import { BILLING, MASTER, POLICY, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { atOnce, manyAtOnce } from '../testing/at-once.js';
import {
  asPublished,
  bounceOf,
  complaintOf,
  countComplaint,
  postSigned,
  WEBHOOK_SECRET,
} from '../testing/relay-events.js';
import { verifyDomain } from '../testing/verify-domain.js';

const HASH = '$2y$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';
/** The callers who have all read the same state. */
const AT_ONCE = sampleSize(8, 4);

/** Changes of one thing, and runs of one job, at the same time. */
onEachDatabase((kind) => {
  let api: TestApi;
  let partners = 0;

  beforeAll(async () => {
    api = await startTestApi(kind, {
      RELAY_WEBHOOK_SECRET: WEBHOOK_SECRET,
      NOTIFY_WEBHOOK_URL: 'https://example.org/hook',
      NOTIFY_WEBHOOK_SECRET: `whsec_${Buffer.from('a secret of at least 24 bytes').toString('base64')}`,
    });
  });
  afterAll(() => api.close());
  afterEach(() => expect(api.log.defects).toEqual([]));

  const aPartner = () => api.key(`partner${(partners += 1)}`);
  const create = (token: string, name: string) => api.as(token).post('/domains/', { name }).expect(201);
  const read = async (token: string, path: string) => (await api.as(token).get(path).expect(200)).body;
  const threeTimes = (job: () => Promise<unknown>) => Promise.all([job(), job(), job()]);
  const notified = async (domain: string) =>
    (await api.database.read<{ type: string; data: string }>('SELECT type, data FROM notification ORDER BY id'))
      .filter(({ data }) => (JSON.parse(data) as { domain?: string }).domain === domain)
      .map(({ type }) => type);

  it('the reference of a subscription is one of many that arrive at once', async () => {
    await create(await aPartner(), 'many.example');
    const answers = await manyAtOnce(8, (index) =>
      api.as(BILLING).put('/domains/many.example/plan', { plan: 'starter', billing_ref: `sub_${index}` }),
    );
    const winners = answers.flatMap(({ status }, index) => (status === 200 ? [`sub_${index}`] : []));
    expect(winners).toEqual([(await read(BILLING, '/domains/many.example')).billing_ref]);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(7);
  });

  it('limits for a time are changed by two operators at the same time one after the other: a pair is never mixed', async () => {
    const token = await aPartner();
    await create(token, 'timed.example');
    const until = new Date(api.clock.now().getTime() + DAY_MS).toISOString();
    const pairs = [1, 2, 3, 4, 5, 6].map((limit) => ({ daily_limit: limit, monthly_limit: limit * 10 }));
    const answers = await atOnce(
      pairs.map((pair) => () => api.as(MASTER).put('/domains/timed.example/outbound', { ...pair, until })),
    );
    expect(answers.map(({ status }) => status)).toEqual(pairs.map(() => 200));
    const { daily_limit, monthly_limit } = await read(token, '/domains/timed.example/outbound');
    expect(pairs).toContainEqual({ daily_limit, monthly_limit });
  });

  it('pages under a filter have each row once while domains are created and deleted', async () => {
    const token = await aPartner();
    const many = sampleSize(7, 3);
    for (let index = 0; index < many; index += 1) await create(token, `stable${index}.example`);
    const inPages = async (order: string): Promise<number[]> => {
      const ids: number[] = [];
      for (let path: string | undefined = `/domains/?inbound=pending&order=${order}&limit=1`; path !== undefined; ) {
        const page: Response = await api.as(token).get(path).expect(200);
        for (const { id } of page.body as { id: number }[]) ids.push(id);
        path = /^<([^>]+)>; rel="next"$/.exec(page.headers.link ?? '')?.[1];
      }
      return ids;
    };
    const stable = await inPages('asc');
    expect(stable).toHaveLength(many);
    const reading = { isOver: false };
    const change = async (): Promise<void> => {
      for (let round = 0; !reading.isOver; round += 1) {
        await create(token, `racing${round}.example`);
        await api.as(token).delete(`/domains/racing${round}.example`).expect(204);
      }
    };
    const readPages = async (): Promise<void> => {
      for (const order of ['asc', 'desc', 'asc']) {
        const ids = await inPages(order);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids).toEqual(expect.arrayContaining(stable));
      }
    };
    await Promise.all([readPages().finally(() => Object.assign(reading, { isOver: true })), change()]);
  });

  describe('the events of the relay', () => {
    const process = () => api.container.get(ProcessRelayEvents).execute();
    const post = async (event: unknown, id = randomUUID()) => {
      expect(await postSigned(api.url, event, { id, at: api.clock.now() })).toBe(200);
    };
    /** Creates a verified domain that sent many messages. */
    const sending = async (token: string, name: string) => {
      await verifyDomain(api, token, name);
      await api.as(MASTER).put(`/domains/${name}/outbound`, { outbound_tier: 'unlimited' }).expect(200);
      await api.as(POLICY).post(`/domains/${name}/outbound/increment`, { count: 10_000 }).expect(200);
    };

    it('counts one bounce of one recipient once, whatever the number and the path of its deliveries', async () => {
      const [token, domain] = [await aPartner(), 'once.example'];
      await sending(token, domain);
      const [id, recipients] = [randomUUID(), ['one@example.net']];
      const same = { messageId: 'one message', at: api.clock.now() };
      const event = bounceOf(domain, recipients, same);
      await Promise.all(Array.from({ length: sampleSize(5, 3) }, () => post(event, id)));
      await post(asPublished(bounceOf(domain, recipients, same), domain));
      await threeTimes(process);
      await post(event);
      await process();
      expect((await read(token, `/domains/${domain}/outbound`)).bounces).toBe(1);
      await post(complaintOf(domain, recipients, same));
      await process();
      expect(await read(token, `/domains/${domain}/outbound`)).toMatchObject({ bounces: 1, complaints: 1 });
    });

    it('a complaint that names everybody who may have complained counts once in parallel', async () => {
      const [token, domain] = [await aPartner(), 'named.example'];
      await sending(token, domain);
      const three = ['ann@free.example', 'ben@free.example', 'cem@free.example'];
      const part = { domain, messageId: `named ${kind}`, named: 3 };
      const outcomes = await Promise.all(
        [...three, ...three].map((each) => countComplaint(api, { ...part, recipients: [each] })),
      );
      const numberOf = (outcome: string) => outcomes.filter((each) => each === outcome).length;
      expect(['counted', 'listed', 'repeated'].map(numberOf)).toEqual([1, 2, 3]);
      expect(await read(token, `/domains/${domain}/outbound`)).toMatchObject({ complaints: 1 });
      expect(await read(token, `/domains/${domain}/bounces`)).toHaveLength(3);
    });

    it('the list of bounces has each recipient of a message once for each kind, however often and by whichever path it is reported', async () => {
      const [token, domain] = [await aPartner(), 'bounced.example'];
      await sending(token, domain);
      const event = bounceOf(domain, ['x@example.net', 'y@example.net'], { at: api.clock.now() });
      const { notificationType, ...rest } = event;
      const soft = { ...event, bounce: { ...event.bounce, bounceType: 'Transient' } };
      for (const each of [event, event, { eventType: notificationType, ...rest }, soft, soft]) await post(each);
      await threeTimes(process);
      await post(event);
      await process();
      const listed: { recipient: string; kind: string }[] = await read(token, `/domains/${domain}/bounces`);
      expect(listed.map(({ recipient, kind: of }) => `${recipient} ${of}`).sort()).toEqual([
        'x@example.net permanent',
        'x@example.net transient',
        'y@example.net permanent',
        'y@example.net transient',
      ]);
    });
  });

  describe('a job', () => {
    it('reminders of several processes at once are sent once', async () => {
      const name = 'reminded.example';
      await create(await aPartner(), name);
      const plan = (of: string) => api.as(MASTER).put(`/domains/${name}/plan`, { plan: of }).expect(200);
      const remind = () => api.container.get(RemindRetention).execute();
      await plan('enterprise');
      for (let day = 0; day < 15; day += 1) {
        api.clock.advance(DAY_MS);
        await remind();
      }
      await plan('starter');
      const before = await notified(name);
      api.clock.advance(10 * DAY_MS);
      await threeTimes(remind);
      expect(await notified(name)).toEqual([...before, 'domain.retention_lowered']);
    });

    it('runs of several processes at once remove and announce each domain once', async () => {
      const token = await aPartner();
      const run = () => api.container.get(ExpirePendingDomains).execute();
      const names = Array.from({ length: sampleSize(6, 2) }, (_, index) => `idle-${index}.example`);
      for (const name of names) await create(token, name);
      api.clock.advance(24 * DAY_MS);
      await threeTimes(run);
      api.clock.advance(7 * DAY_MS);
      await threeTimes(run);
      for (const name of names) {
        expect(await notified(name)).toEqual(['domain.expiring', 'domain.expired']);
        await api.as(MASTER).get(`/domains/${name}`).expect(404);
      }
      const [counts] = await api.database.read(
        `SELECT domain_count, (SELECT COUNT(*) FROM domain d WHERE d.partner_id = p.id) AS found
         FROM partner p WHERE ref = ?`,
        [`partner${partners}`],
      );
      expect(Number(counts?.domain_count)).toBe(Number(counts?.found));
    });
  });

  describe('by callers who have all read the same state', () => {
    /** Stands for the path of a key that a key made. */
    const KEY = '/api-keys/made';
    let made: number;

    beforeAll(async () => {
      const key = await api.key('acme');
      await create(key, 'acme.example');
      await api.as(key).post('/users/', { email: 'a@acme.example', password_hash: HASH }).expect(201);
      made = (await api.as(key).post('/me/keys', {}).expect(201)).body.id;
    });

    it.each([
      [
        'a domain',
        '/domains/acme.example',
        '/domains/acme.example',
        (index: number) => ({ external_ref: `r${index}` }),
      ],
      [
        'a part of a domain',
        '/domains/acme.example',
        '/domains/acme.example/front-hosts',
        (index: number) => ({ hosts: [`mx${index}.filter.example`] }),
      ],
      [
        'the partner of a domain',
        '/domains/acme.example',
        '/domains/acme.example/partner',
        (index: number) => ({ partner_ref: `other${index}` }),
      ],
      ['a mailbox', '/users/a@acme.example', '/users/a@acme.example', (index: number) => ({ name: `Anna ${index}` })],
      ['a key', KEY, KEY, (index: number) => ({ name: `shop ${index}` })],
      ['a partner', '/partners/acme', '/partners/acme', (index: number) => ({ name: `Acme ${index}` })],
      ['a brand', '/partners/acme/brand', '/partners/acme/brand', (index: number) => ({ name: `Juniper ${index}` })],
    ])(
      'of changes of %s with the same If-Match one is made, the others are 412 with its revision',
      async (_, readPath, changePath, body) => {
        const [read, path] = [readPath, changePath].map((each) => each.replace(KEY, `/api-keys/${made}`)) as [
          string,
          string,
        ];
        const { headers, body: before } = await api.as(MASTER).get(read).expect(200);
        const answers = await manyAtOnce(AT_ONCE, (index) =>
          api
            .as(MASTER)
            .put(path, body(index))
            .set('If-Match', headers.etag ?? ''),
        );
        const statuses = answers.map(({ status }) => status);
        expect(statuses.toSorted((left, right) => left - right)).toEqual([
          200,
          ...Array<number>(AT_ONCE - 1).fill(412),
        ]);
        const revision = (before as { revision: number }).revision + 1;
        for (const { body: answer } of answers) expect(answer).toMatchObject({ revision });
        expect((await api.as(MASTER).get(read).expect(200)).body).toMatchObject({ revision });
      },
    );

    it('of changes without If-Match all are made, and each raises the revision', async () => {
      const before = (await api.as(MASTER).get('/users/a@acme.example').expect(200)).body as { revision: number };
      const answers = await manyAtOnce(AT_ONCE, (index) =>
        api.as(MASTER).put('/users/a@acme.example', { name: `B ${index}` }),
      );
      const revisions = answers.map(({ body }) => (body as { revision: number }).revision);
      expect(revisions.sort((left, right) => left - right)).toEqual(
        answers.map((_, index) => before.revision + index + 1),
      );
    });
  });
});
