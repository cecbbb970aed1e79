import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { ScheduleTable } from '@mailstead/adapters/jobs/schedule-table';
import { BILLING, MASTER, POLICY, READ, startTestApi, type TestApi } from '../testing/api-fixture.js';

onHttpDatabase((kind) => {
  let api: TestApi;
  let acme: string;
  beforeAll(async () => {
    api = await startTestApi(kind);
    api.clock.set(new Date('2026-03-01T12:00:00Z'));
    acme = await api.key('acme');
    const master = api.as(MASTER);
    await master.post('/domains/', { name: 'one.example', partner_ref: 'acme', external_ref: '=1+1,"x"' }).expect(201);
    await master.post('/domains/', { name: 'two.example', partner_ref: 'beta' }).expect(201);
    await master.post('/domains/', { name: 'gone.example', partner_ref: 'acme' }).expect(201);
    await api
      .as(POLICY)
      .post('/transfer/increments', {
        items: [
          { domain: 'gone.example', bytes: 400 },
          { domain: 'gone.example', bytes: 100, direction: 'out' },
        ],
      })
      .expect(200);
    await master.post('/outbound/reset-monthly').expect(200);
    await master.delete('/domains/gone.example').expect(204);
    api.clock.set(new Date('2026-03-03T00:20:00Z'));
    const period = { key: 'test', dueAt: api.clock.now() };
    await api.container.get(ScheduleTable)['usage.snapshot']({ period, cursor: 0, save: async () => {} });
  });
  afterAll(() => api.close());

  const names = (body: unknown) => (body as { domain: string }[]).map(({ domain }) => domain);

  test('master, billing and read see all partners, a client its own domains, deleted ones included', async () => {
    for (const token of [MASTER, BILLING, READ]) {
      const { body } = await api.as(token).get('/usage?month=2026-03').expect(200);
      expect(names(body)).toEqual(['gone.example', 'one.example', 'two.example']);
    }
    const { body } = await api.as(acme).get('/usage?month=2026-03').expect(200);
    expect(body).toEqual([
      expect.objectContaining({
        domain: 'gone.example',
        partner_ref: 'acme',
        days: 1,
        bytes: 500,
        bytes_in: 400,
        bytes_out: 100,
      }),
      expect.objectContaining({
        domain: 'one.example',
        billing_ref: null,
        days: 2,
        from: '2026-03-01',
        to: '2026-03-02',
        bytes: 0,
      }),
    ]);
    const other = await api.as(BILLING).get('/partners/beta/usage?month=2026-03').expect(200);
    expect(names(other.body)).toEqual(['two.example']);
  });

  test('storage is null without Dovecot', async () => {
    const { body } = await api.as(acme).get('/usage?month=2026-03').expect(200);
    expect(body[1]).toMatchObject({ storage_mb_max: null, storage_mb_days: null });
  });

  test('a day lists the names on it; clients may not ask for one', async () => {
    expect(names((await api.as(READ).get('/usage?day=2026-03-01').expect(200)).body)).toContain('gone.example');
    expect(names((await api.as(READ).get('/usage?day=2026-03-02').expect(200)).body)).not.toContain('gone.example');
    const { body } = await api.as(acme).get('/usage?day=2026-03-01').expect(403);
    expect(body.code).toBe('master_token_required');
  });

  test('CSV has the same rows; a cell that a spreadsheet would calculate is a text', async () => {
    const { text, headers } = await api.as(acme).get('/usage?month=2026-03').set('Accept', 'text/csv').expect(200);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
    expect(text).toBe(
      [
        'partner_ref,domain,external_ref,billing_ref,plan,from,to,days,mailboxes_max,mailbox_days,storage_mb_max,storage_mb_days,sent,bytes,bounces,bytes_in,bytes_out',
        'acme,gone.example,,,,2026-03-01,2026-03-01,1,0,0,,,0,500,0,400,100',
        `acme,one.example,"'=1+1,""x""",,,2026-03-01,2026-03-02,2,0,0,,,0,0,0,0,0`,
        '',
      ].join('\r\n'),
    );
  });

  test.each([
    ['/usage', 'month'],
    ['/usage?month=2026-03&day=2026-03-01', 'day'],
    ['/usage?month=2026-13', 'month'],
    ['/usage?month=2026-3', 'month'],
    ['/usage?month=2026-04', 'month'],
    ['/usage?day=2026-02-30', 'day'],
    ['/usage?day=2026-03-03', 'day'],
    ['/partners/acme/usage', 'month'],
    ['/partners/acme/usage?month=0000-01', 'month'],
  ])('%s is refused with 422 and names %s', async (path, field) => {
    const { body } = await api.as(MASTER).get(path).expect(422);
    expect(body.errors).toEqual([expect.objectContaining({ field })]);
  });

  test('an unknown partner is 404; clients and policy may not read other partners', async () => {
    await api.as(BILLING).get('/partners/nobody/usage?month=2026-03').expect(404);
    await api.as(acme).get('/partners/acme/usage?month=2026-03').expect(403);
    await api.as(POLICY).get('/usage?month=2026-03').expect(403);
  });

  test('a key that is limited to some domains may not read the usage of its partner', async () => {
    const limited = await api.key('acme', { domains: ['one.example'] });
    const { body } = await api.as(limited).get('/usage?month=2026-03').expect(403);
    expect(body.code).toBe('key_limited_to_domains');
  });

  test('master reads the history of a deleted domain', async () => {
    const { body } = await api.as(MASTER).get('/domains/gone.example/outbound/history?deleted=true').expect(200);
    expect(body).toEqual([expect.objectContaining({ bytes: 500 })]);
    await api.as(MASTER).get('/domains/gone.example/outbound/history').expect(404);
    await api.as(MASTER).get('/domains/never.example/outbound/history?deleted=true').expect(404);
    await api.as(acme).get('/domains/gone.example/outbound/history?deleted=true').expect(403);
  });

  // Last, because the time goes on.
  test('a day of a month that has been closed for three months is 410 for everyone who may ask, and the month stays', async () => {
    const month = await api.as(BILLING).get('/usage?month=2026-03').expect(200);
    api.clock.set(new Date('2026-07-03T23:59:59.999Z'));
    expect(names((await api.as(READ).get('/usage?day=2026-03-01').expect(200)).body)).toContain('one.example');
    api.clock.set(new Date('2026-07-04T00:00:00Z'));
    for (const token of [MASTER, BILLING, READ]) {
      for (const day of ['2026-03-01', '2026-03-31', '2026-02-28', '2001-01-01']) {
        const { body } = await api.as(token).get(`/usage?day=${day}`).set('Accept', 'text/csv').expect(410);
        expect(body).toMatchObject({ code: 'usage_days_gone', status: 410 });
      }
      await api.as(token).get('/usage?day=2026-04-01').expect(200);
      await api.as(token).get('/usage?day=2026-02-30').expect(422);
    }
    // The job has not run.
    expect(await api.database.read("SELECT COUNT(*) AS days FROM usage_day WHERE day = '2026-03-01'")).toEqual([
      { days: 3 },
    ]);
    const { body } = await api.as(acme).get('/usage?day=2026-03-01').expect(403);
    expect(body.code).toBe('master_token_required');
    await api.as(POLICY).get('/usage?day=2026-03-01').expect(403);
    expect((await api.as(BILLING).get('/usage?month=2026-03').expect(200)).text).toBe(month.text);
  });
});
