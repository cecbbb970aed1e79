import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@mailstead/core/clock';
import { PlanLooks } from '@mailstead/core/relay/looks/plan-looks';
import { MASTER, type TestApi } from '../testing/api-fixture.js';
import { LookedDomains } from '../testing/looked-domains.js';

onHttpDatabase((kind) => {
  let looked: LookedDomains;
  let api: TestApi;
  let acme: string;

  beforeAll(async () => {
    looked = await LookedDomains.start(kind);
    ({ api, acme } = looked);
  });
  beforeEach(() => looked.begin());
  afterAll(() => api.close());

  it('a domain with its records is as it should be, and is looked at a minute after it was verified, then daily', async () => {
    await looked.domain('well.example');
    looked.publish('well.example');
    expect(await looked.dueIn('well.example')).toBe(MINUTE_MS);
    expect(looked.nextRoundIn()).toBe(MINUTE_MS);
    api.clock.advance(MINUTE_MS);
    expect(await looked.look()).toEqual({ looked: 1 });
    expect(await looked.dueIn('well.example')).toBeGreaterThanOrEqual(DAY_MS / 2);
    expect(await looked.dueIn('well.example')).toBeLessThan(1.5 * DAY_MS);
    const first = api.clock.now().getTime() + ((await looked.dueIn('well.example')) ?? 0);
    expect(looked.nextRoundIn()).toBe(first - api.clock.now().getTime());
    api.clock.set(new Date(first));
    expect(await looked.look()).toEqual({ looked: 1 });
    expect(await looked.dueIn('well.example')).toBe(DAY_MS);
    expect(await looked.shown('well.example')).toEqual({
      attention: [],
      sends: 'yes',
      receives: 'yes',
      reason: null,
      until: null,
      missing_dns: [],
    });
    expect(await looked.events()).toEqual([]);
  });

  it('without MX and SPF no mail arrives, in every answer, with one event and no notification', async () => {
    await looked.domain('bare.example');
    await looked.lookTwice();
    const state = { sends: 'at_risk', receives: 'no', reason: 'dns_missing', until: null };
    expect(await looked.shown('bare.example')).toEqual({
      attention: ['dns_missing'],
      ...state,
      missing_dns: ['mx', 'spf'],
    });
    const { body: needing } = await api.as(acme).get('/me/attention').expect(200);
    expect(needing).toEqual([
      expect.objectContaining({
        reason: 'dns_missing',
        count: 1,
        first: [expect.objectContaining({ name: 'bare.example', state, missing_dns: ['mx', 'spf'] })],
      }),
    ]);
    for (const query of ['state=no', 'attention_reason=dns_missing', 'attention=true']) {
      const { body } = await api.as(acme).get(`/domains/?${query}&view=full`).expect(200);
      expect(body).toEqual([expect.objectContaining({ name: 'bare.example', state, missing_dns: ['mx', 'spf'] })]);
    }
    expect((await api.as(acme).get('/domains/bare.example/outbound').expect(200)).body.verdict.action).toBe('accept');
    for (let day = 0; day < 2; day += 1) {
      api.clock.advance(2 * DAY_MS);
      await looked.look();
    }
    expect(await looked.events()).toEqual([
      { type: 'domain.dns_missing', about: 'bare.example', data: { missing: ['mx', 'spf'] } },
    ]);
    const [told] = await api.database.read("SELECT COUNT(*) AS n FROM notification WHERE type LIKE 'domain.dns%'");
    expect(Number(told?.n)).toBe(0);
  });

  it('each change has its event, and with all records the domain is complete', async () => {
    await looked.domain('steps.example');
    await looked.lookTwice();
    looked.publish('steps.example', { spf: null });
    api.clock.advance(2 * DAY_MS);
    await looked.look();
    expect(await looked.shown('steps.example')).toMatchObject({
      sends: 'at_risk',
      receives: 'yes',
      reason: 'dns_missing',
    });
    looked.publish('steps.example');
    api.clock.advance(2 * DAY_MS);
    expect(await looked.look()).toEqual({ complete: 1 });
    expect(await looked.shown('steps.example')).toMatchObject({
      attention: [],
      sends: 'yes',
      receives: 'yes',
      reason: null,
    });
    expect((await looked.events()).map(({ type, data }) => [type, data])).toEqual([
      ['domain.dns_missing', { missing: ['mx', 'spf'] }],
      ['domain.dns_missing', { missing: ['spf'] }],
      ['domain.dns_complete', { missing: [] }],
    ]);
  });

  it('what only one look found does not count, nor what a look before ten minutes found again', async () => {
    await looked.domain('moving.example');
    looked.publish('moving.example', { mx: [] });
    api.clock.advance(MINUTE_MS);
    await looked.look();
    expect(looked.nextRoundIn()).toBe(10 * MINUTE_MS);
    api.clock.advance(5 * MINUTE_MS);
    await api.database.write('UPDATE dns_look SET due_at = 0', [], []);
    await looked.look();
    expect(await looked.dueIn('moving.example')).toBe(5 * MINUTE_MS);
    expect(await looked.shown('moving.example')).toMatchObject({ attention: [], receives: 'yes' });
    looked.publish('moving.example');
    api.clock.advance(5 * MINUTE_MS);
    expect(await looked.look()).toEqual({ looked: 1 });
    looked.publish('moving.example', { mx: [] });
    api.clock.advance(2 * DAY_MS);
    await looked.look();
    expect(await looked.events()).toEqual([]);
  });

  it('no answer changes nothing: neither what counts nor what is awaited', async () => {
    await looked.domain('silent.example');
    looked.publish('silent.example', { spf: null });
    api.clock.advance(MINUTE_MS);
    await looked.look();
    for (const record of ['TXT', 'MX']) api.dns.broken.add(`${record} silent.example`);
    api.clock.advance(10 * MINUTE_MS);
    expect(await looked.look()).toEqual({ unknown: 1 });
    expect(await looked.dueIn('silent.example')).toBe(HOUR_MS);
    expect(await looked.shown('silent.example')).toMatchObject({ attention: [] });
    api.dns.broken.clear();
    api.clock.advance(HOUR_MS);
    expect(await looked.look()).toEqual({ missing: 1 });
    api.dns.broken.add('TXT silent.example');
    api.clock.advance(2 * DAY_MS);
    await looked.look();
    expect(await looked.shown('silent.example')).toMatchObject({ attention: ['dns_missing'], sends: 'at_risk' });
    expect(await looked.events()).toHaveLength(1);
  });

  it('MX is needed only with a mailbox or an alias of an open domain, SPF only when it is verified', async () => {
    await api.as(acme).post('/domains/', { name: 'closed.example' }).expect(201);
    await looked.mailbox('closed.example');
    await looked.domain('emptied.example');
    looked.publish('emptied.example', { mx: [] });
    const { body: boxes } = await api.as(acme).get('/users/?domain=emptied.example').expect(200);
    await api.as(acme).delete(`/users/${boxes[0].email}`).expect(204);
    await looked.lookTwice();
    expect(await looked.events()).toEqual([]);
    expect([
      await looked.dueIn('closed.example'),
      (await api.as(acme).get('/domains/closed.example')).body.inbound,
    ]).toEqual([null, 'pending']);
    expect(await looked.shown('closed.example')).toMatchObject({ attention: [] });
    // The first mailbox makes the MX needed.
    await looked.mailbox('emptied.example');
    expect(await looked.dueIn('emptied.example')).toBe(MINUTE_MS);
    await looked.lookTwice();
    expect(await looked.shown('emptied.example')).toMatchObject({
      attention: ['dns_missing'],
      sends: 'yes',
      receives: 'no',
    });
    await api.as(MASTER).put('/domains/emptied.example/inbound', { inbound: 'pending' }).expect(200);
    api.clock.advance(2 * DAY_MS);
    await looked.look();
    expect(await looked.shown('emptied.example')).toMatchObject({ attention: [], reason: 'inbound_pending' });
    await api.as(MASTER).put('/domains/emptied.example/inbound', { inbound: 'open' }).expect(200);
    expect(await looked.dueIn('emptied.example')).toBe(MINUTE_MS);
  });

  it('MX of somebody else alone is a risk, and is not called missing', async () => {
    await looked.domain('filtered.example');
    looked.publish('filtered.example', { mx: ['mx.filter.example'] });
    api.dns.set('A', 'mx.filter.example', '198.51.100.7');
    await looked.lookTwice();
    expect(await looked.shown('filtered.example')).toMatchObject({
      sends: 'yes',
      receives: 'at_risk',
      reason: 'dns_missing',
    });
    expect((await api.as(acme).get('/domains/?state=at_risk').expect(200)).body).toHaveLength(1);
    looked.publish('filtered.example', { mx: [] });
    api.clock.advance(2 * DAY_MS);
    await looked.look();
    expect(await looked.shown('filtered.example')).toMatchObject({
      receives: 'at_risk',
      missing_dns: ['mx_elsewhere'],
    });
    api.clock.advance(10 * MINUTE_MS);
    await looked.look();
    expect(await looked.shown('filtered.example')).toMatchObject({ receives: 'no' });
    expect((await looked.events()).map(({ data }) => data)).toEqual([
      { missing: ['mx_elsewhere'] },
      { missing: ['mx'] },
    ]);
  });

  it('without MX, the address of the service receives (RFC 5321 section 5.1), and so does a name of the customer with it', async () => {
    await looked.domain('address.example');
    looked.publish('address.example', { mx: [] });
    api.dns.set('A', 'address.example', '192.0.2.25');
    await looked.domain('own-name.example');
    looked.publish('own-name.example', { mx: ['mail.own-name.example'] });
    api.dns.set('A', 'mail.own-name.example', '192.0.2.25');
    await looked.lookTwice();
    expect(await looked.events()).toEqual([]);
  });

  it('a linked domain needs the records of its own name as soon as its parent is verified', async () => {
    const { body: parent } = await api.as(acme).post('/domains/', { name: 'above.example' }).expect(201);
    await api.as(acme).post('/domains/', { name: 'sub.above.example' }).expect(201);
    await api.as(MASTER).put('/domains/sub.above.example/parent', { parent: 'above.example' }).expect(200);
    looked.publish('above.example');
    api.clock.advance(DAY_MS);
    await looked.look();
    expect(await looked.dueIn('sub.above.example')).toBeNull();
    await looked.verify('above.example', parent.id);
    expect(await looked.dueIn('sub.above.example')).toBe(MINUTE_MS);
    await looked.lookTwice();
    expect(await looked.shown('sub.above.example')).toMatchObject({
      sends: 'at_risk',
      receives: 'yes',
      reason: 'dns_missing',
    });
    expect(await looked.shown('above.example')).toMatchObject({ reason: null });
    await api.as(acme).post('/domains/', { name: 'new.above.example' }).expect(201);
    await api.as(MASTER).put('/domains/new.above.example/parent', { parent: 'above.example' }).expect(200);
    expect(await looked.dueIn('new.above.example')).toBe(MINUTE_MS);
  });

  it('while a host of the platform has no clear answer nothing counts, with a warning that names it, and it goes on by itself', async () => {
    await looked.domain('judged.example');
    for (const wrong of ['A mx2.platform.test', 'TXT spf.platform.test']) {
      api.dns.broken.add(wrong);
      await looked.lookTwice();
      expect(await looked.events()).toEqual([]);
      expect(await looked.warnings()).toEqual([
        { name: 'dns_looks', detail: expect.stringContaining(wrong.split(' ')[1] ?? '') },
      ]);
      expect(looked.nextRoundIn()).toBe(10 * MINUTE_MS);
      api.dns.broken.clear();
    }
    api.dns.records.set('TXT spf.platform.test', ['no record of SPF']);
    expect(await looked.look()).toEqual({ failed: 1 });
    api.dns.set('TXT', 'spf.platform.test', 'v=spf1 -all');
    await looked.lookTwice();
    expect(await looked.warnings()).toEqual([]);
    expect(await looked.events()).toHaveLength(1);
  });

  it('a check of a reader that differs has the domain looked at within a minute; one that does not changes nothing', async () => {
    await looked.domain('seen.example');
    looked.publish('seen.example');
    api.clock.advance(MINUTE_MS);
    await looked.look();
    const check = () => api.as(acme).get('/domains/seen.example/dns-check').expect(200);
    const planned = await looked.dueIn('seen.example');
    await check();
    expect(await looked.dueIn('seen.example')).toBe(planned);
    looked.publish('seen.example', { mx: [] });
    await check();
    expect(await looked.dueIn('seen.example')).toBe(30 * SECOND_MS);
    expect(looked.nextRoundIn()).toBe(30 * SECOND_MS);
    api.clock.advance(30 * SECOND_MS);
    await looked.look();
    await check();
    expect(await looked.dueIn('seen.example')).toBe(10 * MINUTE_MS);
    api.clock.advance(10 * MINUTE_MS);
    expect(await looked.look()).toEqual({ missing: 1 });
    looked.publish('seen.example');
    await check();
    api.clock.advance(30 * SECOND_MS);
    expect(await looked.look()).toEqual({ complete: 1 });
  });

  it('a check of a reader finds the same as the looks when the own name of the domain is a CNAME', async () => {
    await looked.domain('alias.example');
    looked.publish('alias.example', { mx: ['mx.web.example'] });
    api.dns.set('CNAME', 'alias.example', 'host.web.example');
    await looked.lookTwice();
    const planned = await looked.dueIn('alias.example');
    await api.as(acme).get('/domains/alias.example/dns-check').expect(200);
    expect(await looked.dueIn('alias.example')).toBe(planned);
  });

  it('what nobody planned is found by the sweep, and what the settings expect no more is taken back', async () => {
    await looked.domain('found.example');
    await api.database.write('DELETE FROM dns_look', [], []);
    const { container } = api;
    expect(await container.get(PlanLooks).sweep({ of: 1, remainder: 0 })).toBe(1);
    expect(await container.get(PlanLooks).sweep({ of: 1, remainder: 0 })).toBe(0);
    expect(await looked.dueIn('found.example')).toBeLessThanOrEqual(HOUR_MS);
    api.clock.advance(HOUR_MS);
    await looked.lookTwice();
    expect(await looked.shown('found.example')).toMatchObject({ attention: ['dns_missing'] });
    await api.database.write("UPDATE verification SET status = 'failed'", [], []);
    await api.as(MASTER).put('/domains/found.example/inbound', { inbound: 'pending' }).expect(200);
    api.clock.advance(2 * DAY_MS);
    expect(await looked.look()).toEqual({ complete: 1 });
    expect(await looked.dueIn('found.example')).toBeNull();
  });

  it('no request of this suite caused a defect', () => {
    expect(api.log.defects).toEqual([]);
  });
});
