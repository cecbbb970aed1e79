import { onEachDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { ProcessRelayEvents } from '@mailstead/core/relay-events/process-relay-events';
import { MASTER, POLICY, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { bounceOf, postSigned, WEBHOOK_SECRET } from '../testing/relay-events.js';

const MESSAGES = 2_147_483_647;
const BYTES = Number.MAX_SAFE_INTEGER;
const OVERFLOW = { allowed: false, action: 'reject', reason: 'counter_overflow' };

onEachDatabase((kind) => {
  let api: TestApi;
  let acme: string;
  let made = 0;

  beforeAll(async () => {
    api = await startTestApi(kind, { RELAY_WEBHOOK_SECRET: WEBHOOK_SECRET });
    acme = await api.key('acme');
  });
  afterAll(() => api.close());

  const increment = (items: object[]) => api.as(POLICY).post('/outbound/increments', { items }).expect(200);
  const outbound = async (name: string) =>
    (await api.as(MASTER).get(`/domains/${name}/outbound`).expect(200)).body as Record<string, number>;

  /** Creates a verified domain without limits on which one message of each kind was counted. */
  async function aDomain(name = `full-${(made += 1)}.example`): Promise<{ name: string; id: number }> {
    const { body } = await api.as(acme).post('/domains/', { name }).expect(201);
    const id = Number(body.id);
    await api.database.write("UPDATE verification SET status = 'verified' WHERE domain_id = ?", [id]);
    await api.as(MASTER).put(`/domains/${name}/outbound`, { outbound_tier: 'unlimited' }).expect(200);
    await increment([
      { domain: name, bytes: 1 },
      { domain: name, forwarded: true },
    ]);
    api.clock.advance(1_000);
    return { name, id };
  }

  const set = (id: number, column: string, value: number, table = 'outbound_counter') =>
    api.database.write(`UPDATE ${table} SET ${column} = ? WHERE domain_id = ?`, [value, id]);

  it.each([
    ['messages of a day', 'sent_today', MESSAGES, { count: 2 }, { count: 1 }],
    ['messages of a month', 'sent_month', MESSAGES, { count: 2 }, { count: 1 }],
    ['bytes of a month', 'bytes_month', BYTES, { bytes: 2 }, { bytes: 1 }],
    ['forwarded messages', 'forwarded_today', MESSAGES, { forwarded: true, count: 2 }, { forwarded: true }],
  ])('a counter of %s refuses an item that it cannot hold, and the items beside it are counted', async (...row) => {
    const [, column, most, tooMuch, fitting] = row;
    const [full, other] = [await aDomain(), await aDomain()];
    await set(full.id, column, most - 1);
    const { body } = await increment([
      { domain: other.name },
      { domain: full.name, ...tooMuch },
      { domain: full.name, ...tooMuch, record: true },
      { domain: full.name, ...fitting },
      { domain: other.name },
    ]);
    expect(body).toEqual([
      expect.objectContaining({ allowed: true, sent_today: 2 }),
      { name: full.name, ...OVERFLOW },
      { name: full.name, ...OVERFLOW },
      expect.objectContaining({ allowed: true }),
      expect.objectContaining({ allowed: true, sent_today: 3 }),
    ]);
    const alone = await api.as(POLICY).post(`/domains/${full.name}/outbound/increment`, tooMuch).expect(422);
    expect(alone.body).toMatchObject({ code: 'counter_overflow' });
    await outbound(full.name);
  });

  it('a full counter of the linked parent refuses the messages of its children', async () => {
    const parent = await aDomain();
    await api.as(MASTER).put(`/domains/${parent.name}/parent`, { wildcard_mode: 'any' }).expect(200);
    const child = await aDomain(`child.${parent.name}`);
    for (const [column, item] of [
      ['sent_today', {}],
      ['sent_month', {}],
      ['forwarded_today', { forwarded: true }],
    ] as const) {
      const { [column]: before } = await rowOf(parent.id);
      await set(parent.id, column, MESSAGES);
      expect((await increment([{ domain: child.name, ...item }])).body).toEqual([{ name: child.name, ...OVERFLOW }]);
      await set(parent.id, column, Number(before));
    }
    expect((await increment([{ domain: child.name }])).body).toMatchObject([{ allowed: true }]);
  });

  async function rowOf(id: number): Promise<Record<string, unknown>> {
    const [row] = await api.database.read('SELECT * FROM outbound_counter WHERE domain_id = ?', [id]);
    return row ?? {};
  }

  it('a full counter of bytes refuses received bytes too, and the transfers beside it are counted', async () => {
    const [full, other] = [await aDomain(), await aDomain()];
    await set(full.id, 'bytes_month', BYTES - 1);
    const items = [
      { domain: full.name, bytes: 2, id: 'a' },
      { domain: other.name, bytes: 4 },
      { domain: full.name, bytes: 1, id: 'a' },
    ];
    const { body } = await api.as(POLICY).post('/transfer/increments', { items }).expect(200);
    expect(body).toEqual([
      { name: full.name, counted: false, reason: 'counter_overflow' },
      { name: other.name, counted: true, reason: null, bytes_this_month: 5 },
      { name: full.name, counted: true, reason: null, bytes_this_month: BYTES },
    ]);
    expect((await outbound(full.name)).bytes_this_month).toBe(BYTES);
  });

  it('a preview says that the counter is full', async () => {
    const { name, id } = await aDomain();
    await set(id, 'sent_month', MESSAGES);
    const { body } = await api
      .as(POLICY)
      .post('/outbound/looks', { items: [{ domain: name }] })
      .expect(200);
    expect(body).toEqual([{ name, ...OVERFLOW, stays_here: false, counts_as: 1, headroom: 0, each_recipient: false }]);
  });

  it('a full counter counts again in the next period', async () => {
    const { name, id } = await aDomain();
    for (const column of ['sent_today', 'sent_month']) await set(id, column, MESSAGES);
    for (const path of ['reset-daily', 'reset-monthly']) await api.as(MASTER).post(`/outbound/${path}`).expect(200);
    expect((await increment([{ domain: name, count: 7 }])).body).toMatchObject([{ allowed: true, sent_today: 7 }]);
    const { body } = await api.as(MASTER).get(`/domains/${name}/outbound/history`).expect(200);
    expect(body).toMatchObject([{ sent: MESSAGES }]);
  });

  it('a day of the bounce window, and a row of a sender, stay at the most that they hold', async () => {
    const [one, two] = [await aDomain(), await aDomain()];
    const sender = `anna@${one.name}`;
    await increment([one, two].map(({ name }) => ({ domain: name, sender })));
    await set(one.id, 'sent_today', MESSAGES - 1);
    for (const column of ['sent', 'sent_elsewhere']) await set(one.id, column, MESSAGES, 'outbound_sender');
    await api.as(MASTER).post('/outbound/reset-daily').expect(200);
    await increment([one, two].map(({ name }) => ({ domain: name, sender, count: 9 })));
    for (const column of ['sent', 'sent_elsewhere']) await set(one.id, column, MESSAGES, 'outbound_sender');
    await set(one.id, 'sent', MESSAGES, 'outbound_day');
    await api.as(MASTER).post('/outbound/reset-daily').expect(200);
    const { body } = await increment([one, two].map(({ name }) => ({ domain: name, sender, count: 9 })));
    expect(body).toMatchObject([{ allowed: true }, { allowed: true }]);
    for (const column of ['sent', 'sent_elsewhere']) await set(one.id, column, MESSAGES, 'outbound_sender');
    await increment([one, two].map(({ name }) => ({ domain: name, sender, count: 9 })));
    const senders = await api.as(MASTER).get(`/domains/${one.name}/outbound/senders`).expect(200);
    expect(senders.body).toMatchObject([{ sender, sent_today: MESSAGES }]);
  });

  it('counters of bounces stay at the most that they hold, and later events are processed', async () => {
    const { name, id } = await aDomain();
    const post = async () => {
      expect(
        await postSigned(api.url, bounceOf(name, ['jane@example.net'], { at: api.clock.now() }), {
          at: api.clock.now(),
        }),
      ).toBe(200);
      return api.container.get(ProcessRelayEvents).execute();
    };
    expect(await post()).toMatchObject({ counted: 1 });
    await set(id, 'bounces_month', MESSAGES);
    await set(id, 'bounces', MESSAGES, 'outbound_day');
    expect(await post()).toMatchObject({ counted: 1, failed: 0 });
    expect((await outbound(name)).bounces).toBe(MESSAGES);
    await api.as(MASTER).post('/outbound/reset-monthly').expect(200);
    const { body } = await api.as(MASTER).get(`/domains/${name}/outbound/history`).expect(200);
    expect(body).toMatchObject([{ bounces: MESSAGES }]);
  });

  it('no request of this suite caused a defect', () => {
    expect(api.log.defects).toEqual([]);
  });
});
