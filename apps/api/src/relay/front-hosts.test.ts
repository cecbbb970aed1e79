import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { EventPositioner } from '@mailstead/adapters/events/event-positioner';
import { DAY_MS, MINUTE_MS } from '@mailstead/core/clock';
import { BILLING, MASTER, POLICY, READ, type TestApi } from '../testing/api-fixture.js';
import { LinkWorld } from '../testing/link-world.js';
import { LookedDomains } from '../testing/looked-domains.js';

const OURS = ['mx1.platform.test', 'mx2.platform.test'];
const FILTER = 'mx.filter.example';
const OTHER = 'mx.other.example';
const GOOGLE = 'aspmx.l.google.com';

onHttpDatabase((kind) => {
  let looked: LookedDomains;
  let api: TestApi;
  let acme: string;

  beforeAll(async () => {
    looked = await LookedDomains.start(kind);
    ({ api, acme } = looked);
  });
  beforeEach(async () => {
    await looked.begin();
    api.dns.set('A', FILTER, '198.51.100.7').set('A', OTHER, '198.51.100.8');
  });
  afterEach(() => expect(api.log.defects).toEqual([]));
  afterAll(() => api.close());

  const say = (name: string, hosts: unknown, token = acme) =>
    api.as(token).put(`/domains/${name}/front-hosts`, { hosts });
  const reportOf = async (name: string) => {
    const { ok, checks, front_hosts } = (await api.as(acme).get(`/domains/${name}/dns-check`).expect(200)).body;
    const { status, code, params } = checks[0];
    return { ok, status, code, found: params.found, front_hosts };
  };
  const lackOf = async (name: string) => {
    const { receives, missing_dns } = (await looked.shown(name)) as { receives: string; missing_dns: string[] };
    return [receives, ...missing_dns];
  };

  it('a host before ours is a risk until the holder says that it passes mail on, which the look at once finds', async () => {
    await looked.domain('filtered.example');
    looked.publish('filtered.example', { mx: [FILTER, ...OURS] });
    await looked.lookTwice();
    expect(await lackOf('filtered.example')).toEqual(['at_risk', 'mx_elsewhere']);
    expect(await reportOf('filtered.example')).toMatchObject({
      status: 'mismatch',
      code: 'mx_behind',
      found: FILTER,
      front_hosts: { hosts: [], said_at: null, first: [FILTER] },
    });
    const { revision, ...said } = (await say('filtered.example', [FILTER]).expect(200)).body;
    expect([revision, said]).toEqual([2, { hosts: [FILTER], said_at: expect.stringMatching(/^\d{4}-/) }]);
    expect(await looked.dueIn('filtered.example')).toBe(0);
    expect(looked.nextRoundIn()).toBe(0);
    expect(await reportOf('filtered.example')).toMatchObject({
      status: 'ok',
      code: 'mx_in_front',
      found: FILTER,
      front_hosts: { ...said, first: [] },
    });
    expect(await looked.look()).toEqual({ complete: 1 });
    expect(await lackOf('filtered.example')).toEqual(['yes']);
    expect(await looked.events()).toEqual([
      { type: 'domain.dns_missing', about: 'filtered.example', data: { missing: ['mx_elsewhere'] } },
      { type: 'domain.dns_complete', about: 'filtered.example', data: { missing: [] } },
    ]);
  });

  it('another host that comes first begins anew, and so does a withdrawal', async () => {
    await looked.domain('anew.example');
    looked.publish('anew.example', { mx: [FILTER, ...OURS] });
    await say('anew.example', [FILTER]).expect(200);
    await looked.lookTwice();
    expect(await lackOf('anew.example')).toEqual(['yes']);
    looked.publish('anew.example', { mx: [FILTER, OTHER, ...OURS] });
    api.clock.advance(2 * DAY_MS);
    await looked.lookTwice();
    expect(await lackOf('anew.example')).toEqual(['at_risk', 'mx_elsewhere']);
    expect(await reportOf('anew.example')).toMatchObject({
      code: 'mx_behind',
      front_hosts: { hosts: [FILTER], first: [FILTER, OTHER] },
    });
    await say('anew.example', [OTHER, FILTER]).expect(200);
    expect(await looked.look()).toEqual({ complete: 1 });
    expect((await say('anew.example', []).expect(200)).body).toMatchObject({ hosts: [], said_at: null });
    expect(await looked.dueIn('anew.example')).toBe(0);
    await looked.lookTwice();
    expect(await lackOf('anew.example')).toEqual(['at_risk', 'mx_elsewhere']);
  });

  it('at a mailbox provider no mail arrives here, also with ours behind it, unless the holder says that it is passed on', async () => {
    await looked.domain('split.example');
    looked.publish('split.example', { mx: [GOOGLE, ...OURS] });
    await looked.lookTwice();
    expect(await lackOf('split.example')).toEqual(['no', 'mx_mailboxes']);
    expect((await api.as(acme).get('/domains/?state=no').expect(200)).body).toHaveLength(1);
    expect(await reportOf('split.example')).toMatchObject({
      ok: false,
      status: 'mismatch',
      code: 'mx_mailboxes',
      front_hosts: { first: [GOOGLE] },
    });
    await say('split.example', [GOOGLE]).expect(200);
    expect(await looked.look()).toEqual({ complete: 1 });
    expect(await lackOf('split.example')).toEqual(['yes']);
    expect((await looked.events()).map(({ data }) => data)).toEqual([{ missing: ['mx_mailboxes'] }, { missing: [] }]);
  });

  it('is said by whoever may change the domain, also by a link, and by nobody else', async () => {
    const links = new LinkWorld(api);
    const { key, domain, other, partner } = await links.partner();
    const hosts = [FILTER];
    const path = `/domains/${domain}/front-hosts`;
    const limited = await api.key(partner, { domains: [domain] });
    for (const token of [key, MASTER, limited]) await say(domain, hosts, token).expect(200);
    const manager = await links.enter(await links.create(key, { domain, scope: 'manage' }));
    expect((await manager.send('put', path, { hosts })).status).toBe(200);
    const guest = await links.enter(await links.create(key, { domain, scope: 'dns' }));
    expect((await guest.send('put', path, { hosts })).status).toBe(403);
    expect((await guest.send('get', `/domains/${domain}/dns-check`)).body.front_hosts.hosts).toEqual(hosts);
    const reader = await api.key(partner, { scope: 'read' });
    for (const token of [reader, BILLING, POLICY, READ]) await say(domain, hosts, token).expect(403);
    const absent = await say('absent.example', hosts, acme).expect(404);
    for (const answer of [await say(domain, hosts, acme), await say(other, hosts, limited)]) {
      expect([answer.status, answer.body.code, answer.body.detail]).toEqual([
        404,
        absent.body.code,
        absent.body.detail,
      ]);
    }
    expect((await manager.send('put', `/domains/${other}/front-hosts`, { hosts })).status).toBe(404);
    await api.as(MASTER).put(`/partners/${partner}/suspend`, { cause: 'billing', stage: 'changes' }).expect(200);
    await say(domain, [], key).expect(403);
  });

  it('takes names of hosts alone, each once in the form of the DNS, and 20 of them', async () => {
    await looked.domain('names.example');
    const { body } = await say('names.example', [
      'MX.Filter.example.',
      FILTER,
      'mx.bücher.example',
      'a。example',
    ]).expect(200);
    expect(body.hosts).toEqual(['a.example', FILTER, 'mx.xn--bcher-kva.example']);
    const many = Array.from({ length: 21 }, (_, index) => `${'a'.repeat(50)}.${'b'.repeat(60)}.mx${index}.example`);
    await say('names.example', many.slice(1)).expect(200);
    for (const wrong of [many, ['192.0.2.1'], ['localhost'], ['http://mx.example'], [''], [7], 'mx.example', null]) {
      const { status, body: problem } = await say('names.example', wrong);
      expect([wrong, status, problem.errors]).toEqual([wrong, 422, [expect.objectContaining({ field: 'hosts' })]]);
    }
    expect((await reportOf('names.example')).front_hosts.hosts).toHaveLength(20);
  });

  it('is one change with its audit row and its event; saying the same again is none', async () => {
    await looked.domain('once.example');
    const { body: first } = await say('once.example', [FILTER]).expect(200);
    const planned = await looked.dueIn('once.example');
    api.clock.advance(MINUTE_MS);
    await looked.look();
    expect((await say('once.example', [FILTER]).expect(200)).body).toEqual(first);
    expect(await looked.dueIn('once.example')).toBeGreaterThan(planned ?? 0);
    await say('once.example', []).expect(200);
    const { body: rows } = await api.as(MASTER).get('/audit?action=domain.set_front_hosts').expect(200);
    expect(rows.map(({ subject, before, after }: Record<string, unknown>) => [subject, before, after])).toEqual([
      ['once.example', { front_hosts: [] }, { front_hosts: [FILTER] }],
      ['once.example', { front_hosts: [FILTER] }, { front_hosts: [] }],
    ]);
    await api.container.get(EventPositioner).giveAll();
    const { body: events } = await api.as(acme).get('/events?types=domain.updated&domain=once.example').expect(200);
    expect(events).toHaveLength(2);
  });

  it('stays with a domain that moves, and ends with one that is deleted', async () => {
    await looked.domain('moving.example');
    await say('moving.example', [FILTER]).expect(200);
    await api.as(MASTER).put('/domains/moving.example/partner', { partner_ref: 'rival' }).expect(200);
    const checked = async () =>
      (await api.as(MASTER).get('/domains/moving.example/dns-check').expect(200)).body.front_hosts.hosts;
    expect(await checked()).toEqual([FILTER]);
    await api.as(MASTER).delete('/domains/moving.example').expect(204);
    await api.as(MASTER).post('/domains/', { name: 'moving.example', partner_ref: 'rival' }).expect(201);
    expect(await checked()).toEqual([]);
  });
});
