import { onEachDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { CorrectCounts } from '@mailstead/core/counts/correct-counts';
import { ProcessRelayEvents } from '@mailstead/core/relay-events/process-relay-events';
import { sampleSize } from '@mailstead/core/testing/sampled';
import { startTestApi, type TestApi } from '../testing/api-fixture.js';
import { atOnce, manyAtOnce } from '../testing/at-once.js';
import { asPublished, bounceOf, complaintOf, postSigned, WEBHOOK_SECRET } from '../testing/relay-events.js';

const EVENTS = sampleSize(40, 10);

onEachDatabase((kind) => {
  let api: TestApi;
  let key: string;

  beforeAll(async () => {
    api = await startTestApi(kind, { RELAY_WEBHOOK_SECRET: WEBHOOK_SECRET });
    key = await api.key('races');
  });
  afterAll(() => api.close());

  const processAll = () =>
    Promise.all(Array.from({ length: 4 }, () => api.container.get(ProcessRelayEvents).execute()));
  const listed = async (domain: string) =>
    (await api.as(key).get(`/suppressions?domain=${domain}`).expect(200)).body as { address: string; reason: string }[];
  const counts = async () => {
    const [row] = await api.database.read(
      `SELECT p.suppression_count AS stored, (SELECT COUNT(*) FROM suppression s WHERE s.partner_id = p.id) AS present
         FROM partner p WHERE p.ref = 'races'`,
    );
    return [Number(row?.stored), Number(row?.present)];
  };
  const gone = (domain: string, recipient: string) => {
    const event = bounceOf(domain, [], { at: api.clock.now() });
    const bouncedRecipients = [{ emailAddress: recipient, status: '5.1.1' }];
    return { ...event, bounce: { ...event.bounce, bouncedRecipients } };
  };

  it('many events, each twice, beside creations and a deletion, are each stored once', async () => {
    for (const name of ['race1.example', 'race2.example']) await api.as(key).post('/domains/', { name }).expect(201);
    // Messages that were sent before their domain existed count for nobody.
    api.clock.advance(1_000);
    const domainOf = (index: number) => `race${(index % 2) + 1}.example`;
    const { body } = await api.as(key).post('/suppressions', { address: 'before@out.example' }).expect(201);
    const events = Array.from({ length: EVENTS }, (_, index) => ({
      id: `race-${index}`,
      event:
        index % 10 === 0
          ? complaintOf(domainOf(index), [`r${index}@out.example`], { at: api.clock.now() })
          : gone(domainOf(index), `R${index}@Out.example`),
    }));
    const post = ({ id, event }: (typeof events)[number]) => postSigned(api.url, event, { id, at: api.clock.now() });
    const [posted, , asked] = await Promise.all([
      atOnce(events.flatMap((each) => [() => post(each), () => post(each)])),
      processAll(),
      atOnce([
        ...Array.from(
          { length: sampleSize(10, 3) },
          (_, index) => () =>
            api.as(key).post('/suppressions', { address: `r${index}@out.example`, domain: domainOf(index) }),
        ),
        () => api.as(key).delete(`/suppressions/${(body as { id: number }).id}`),
      ]),
    ]);
    expect(posted.filter((status) => status !== 200)).toEqual([]);
    expect(asked.at(-1)?.status).toBe(204);
    await processAll();
    const rows = [...(await listed('race1.example')), ...(await listed('race2.example'))];
    expect(rows.map(({ address }) => address).sort()).toEqual(
      Array.from({ length: EVENTS }, (_, index) => `r${index}@out.example`).sort(),
    );
    expect(rows.filter(({ reason }) => reason === 'complaint')).toHaveLength(EVENTS / 10);
    expect(await counts()).toEqual([EVENTS, EVENTS]);
    const { body: state } = await api.as(key).get('/domains/race1.example/outbound').expect(200);
    const { body: other } = await api.as(key).get('/domains/race2.example/outbound').expect(200);
    const both = state as { bounces: number; complaints: number };
    const { bounces, complaints } = other as { bounces: number; complaints: number };
    expect([both.bounces + bounces, both.complaints + complaints]).toEqual([EVENTS - EVENTS / 10, EVENTS / 10]);
    const slices = { of: 1, remainder: 0 };
    expect((await api.container.get(CorrectCounts).execute(slices)).counts_mended).toBe(0);
  });

  it('many events about one address, each by two paths, beside its creation make one row and as many bounces', async () => {
    await api.as(key).post('/domains/', { name: 'one.example' }).expect(201);
    api.clock.advance(1_000);
    const [before = 0] = await counts();
    const events = Array.from({ length: EVENTS }, (_, index) =>
      gone('one.example', index % 2 === 0 ? 'One@Out.example' : 'one@out.example'),
    );
    const [posted, asked] = await Promise.all([
      atOnce(
        events.flatMap((event) => [
          () => postSigned(api.url, event, { at: api.clock.now() }),
          () => postSigned(api.url, asPublished(event, 'one.example'), { at: api.clock.now() }),
        ]),
      ),
      atOnce([() => api.as(key).post('/suppressions', { address: 'one@out.example', domain: 'one.example' })]),
      processAll(),
    ]);
    expect(posted.filter((status) => status !== 200)).toEqual([]);
    expect([200, 201]).toContain(asked[0]?.status);
    await processAll();
    expect((await listed('one.example')).map(({ address }) => address)).toEqual(['one@out.example']);
    expect(await counts()).toEqual([before + 1, before + 1]);
    const { body } = await api.as(key).get('/domains/one.example/outbound').expect(200);
    expect((body as { bounces: number }).bounces).toBe(EVENTS);
  });

  it('with room for three, exactly three of ten creations at once succeed, and an expired row makes room', async () => {
    const full = await api.key('full');
    await api.as(full).post('/domains/', { name: 'full.example' }).expect(201);
    await api.database.write("UPDATE partner SET suppression_count = 99997 WHERE ref = 'full'");
    const add = (name: string) => api.as(full).post('/suppressions', { address: `${name}@out.example` });
    const create = async (name: string) => (await add(name)).status;
    const statuses = (await manyAtOnce(10, (index) => add(`c${index}`))).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 201, 201, ...Array.from({ length: 7 }, () => 409)]);
    const { body } = await api.as(full).post('/suppressions', { address: 'more@out.example' }).expect(409);
    expect((body as { code: string }).code).toBe('too_many_suppressions');
    const expired = [api.clock.now().getTime() - 1, 'c%'];
    await api.database.write(
      `UPDATE suppression SET reason = 'bounce', expires_at = ? WHERE address LIKE ?
          AND partner_id = (SELECT id FROM partner WHERE ref = 'full')`,
      expired,
    );
    expect([await create('more1'), await create('more2'), await create('more3'), await create('more4')]).toEqual([
      201, 201, 201, 409,
    ]);
  });

  it('a partner whom a moved domain brought above the limit adds nothing for a row that expired', async () => {
    const above = await api.key('above');
    const create = async (address: string) => (await api.as(above).post('/suppressions', { address })).status;
    expect(await create('old@out.example')).toBe(201);
    await api.database.write(
      `UPDATE suppression SET reason = 'bounce', expires_at = ? WHERE address = 'old@out.example'
          AND partner_id = (SELECT id FROM partner WHERE ref = 'above')`,
      [api.clock.now().getTime() - 1],
    );
    await api.database.write("UPDATE partner SET suppression_count = 100002 WHERE ref = 'above'");
    expect([await create('new@out.example'), await create('old@out.example')]).toEqual([409, 409]);
    await api.database.write("UPDATE partner SET suppression_count = 100000 WHERE ref = 'above'");
    expect([await create('new@out.example'), await create('old@out.example')]).toEqual([201, 409]);
  });
});
