import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { HOUR_MS } from '@mailstead/core/clock';
import { KeepTrailDays } from '@mailstead/core/trail/keep-trail-days';
import { BILLING, MASTER, POLICY, READ, startTestApi, type TestApi } from '../testing/api-fixture.js';

interface Message {
  id: string;
  at: string;
  state: string;
  recipient: string;
  domain: string;
  steps: object[];
}

onHttpDatabase((kind) => {
  let api: TestApi;
  let acme: string;
  let rival: string;
  let queue = 0;

  beforeAll(async () => {
    api = await startTestApi(kind);
    acme = await api.key('acme');
    rival = await api.key('rival');
    for (const name of ['acme.example', 'other.example']) await api.as(acme).post('/domains/', { name }).expect(201);
    await api.as(rival).post('/domains/', { name: 'rival.example' }).expect(201);
  });
  afterAll(() => api.close());

  const ago = (ms: number) => new Date(api.clock.now().getTime() - ms).toISOString();
  const item = (fields: object = {}) => {
    queue += 1;
    return {
      host: 'mx1.example',
      queue_id: `Q${queue}`,
      at: ago(60_000),
      step: 'accepted',
      direction: 'out',
      domain: 'acme.example',
      sender: 'Info@acme.example',
      recipient: 'jane@elsewhere.example',
      ...fields,
    };
  };
  const report = async (...items: object[]): Promise<object> =>
    (await api.as(POLICY).post('/outbound/trail', { items }).expect(202)).body;
  const partnerIdOf = async (token: string): Promise<number> => {
    const { partner_ref: ref } = (await api.as(token).get('/me').expect(200)).body as { partner_ref: string };
    const [row] = await api.database.read('SELECT id FROM partner WHERE ref = ?', [ref]);
    return Number(row?.id);
  };
  const list = async (query: string, token = acme): Promise<Message[]> =>
    (await api.as(token).get(`/messages${query}`).expect(200)).body;

  it('a report is taken once, and shown with its steps', async () => {
    const first = item({ recipient: 'Once@elsewhere.example', size: 12, message_id: '<1@x>' });
    const second = { ...first, step: 'relayed', at: ago(30_000), detail: '250 Ok 0102018f2c6e4b11-000000' };
    expect(await report(first, second, item({ domain: 'absent.example' }), item({ domain: 'no name' }))).toEqual({
      taken: 2,
      dropped: 2,
    });
    expect(await report(first, second)).toEqual({ taken: 2, dropped: 0 });
    const [row, ...others] = await list('?recipient=ONCE@elsewhere.example');
    expect(others).toEqual([]);
    expect(row).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{11}[\w-]{22}$/),
      at: ago(60_000).slice(0, -1),
      direction: 'out',
      domain: 'acme.example',
      sender: 'info@acme.example',
      recipient: 'once@elsewhere.example',
      size: 12,
      state: 'relayed',
      reason: null,
      message_id: '<1@x>',
      last_at: ago(30_000).slice(0, -1),
      count: 1,
    });
    expect((await api.as(acme).get(`/messages/${row?.id}`).expect(200)).body).toEqual({
      ...row,
      steps: [
        { at: ago(60_000).slice(0, -1), step: 'accepted', detail: null },
        { at: ago(30_000).slice(0, -1), step: 'relayed', detail: '250 Ok 0102018f2c6e4b11-000000' },
      ],
    });
  });

  it('partners see only rows of their own, and of mail between them each its side', async () => {
    const sent = item({ recipient: 'bob@rival.example', sender: 'ann@acme.example' });
    const received = { ...sent, direction: 'in', domain: 'rival.example' };
    await report(sent, received);
    for (const each of [sent, received]) {
      await report({ ...each, step: 'stored', at: ago(1_000), detail: 'saved in bob' });
    }
    const byRecipient = '?recipient=bob@rival.example';
    expect(await list(byRecipient)).toMatchObject([{ direction: 'out', state: 'accepted', domain: 'acme.example' }]);
    const [theirs, ...others] = await list(byRecipient, rival);
    expect(others).toEqual([]);
    expect(theirs).toMatchObject({ direction: 'in', state: 'stored', domain: 'rival.example' });
    await api
      .as(acme)
      .get(`/messages/${theirs?.id}`)
      .expect(404, /message_not_found/);
    await api
      .as(acme)
      .get('/messages/absent')
      .expect(404, /message_not_found/);
    expect(await list('?domain=rival.example')).toEqual([]);
    expect(await list(byRecipient, READ)).toHaveLength(2);
  });

  it('keys that may read or are limited to domains read what they may see, and no other callers do', async () => {
    await report(item({ domain: 'other.example', sender: 'x@other.example', recipient: 'lim@elsewhere.example' }));
    await report(item({ recipient: 'lim@elsewhere.example' }));
    const limited = await api.key('acme', { domains: ['other.example'], scope: 'read' });
    expect(await list('?recipient=lim@elsewhere.example')).toHaveLength(2);
    const seen = await list('?recipient=lim@elsewhere.example', limited);
    expect(seen).toMatchObject([{ domain: 'other.example' }]);
    expect(await list('', limited)).toEqual(seen);
    for (const token of [POLICY, BILLING]) await api.as(token).get('/messages').expect(403);
    for (const token of [acme, READ, BILLING]) {
      await api
        .as(token)
        .post('/outbound/trail', { items: [item()] })
        .expect(403);
    }
  });

  it('a list without a filter that has an index is of 24 hours at most', async () => {
    const [at, before] = [ago(0), ago(25 * HOUR_MS)];
    await report(item({ at: ago(25 * HOUR_MS), recipient: 'old@elsewhere.example' }));
    const { body } = await api.as(acme).get(`/messages?since=${before}`).expect(422);
    expect(JSON.stringify(body)).toMatch(/since.*24 hours/);
    await api.as(acme).get(`/messages?since=${before}&state=stored`).expect(422);
    expect(await list(`?since=${before}&until=${ago(24.5 * HOUR_MS)}`)).toMatchObject([
      { recipient: 'old@elsewhere.example' },
    ]);
    expect(await list('?state=stored&direction=in')).toEqual([]);
    const filtered = await list(`?domain=acme.example&since=${before}&until=${at}`);
    expect(filtered.map(({ recipient }) => recipient)).toContain('old@elsewhere.example');
  });

  it('pages follow each other by their links, newest first', async () => {
    const mailbox = 'pages@acme.example';
    await report(...[1, 2, 3, 4, 5].map((minutes) => item({ sender: mailbox, at: ago(minutes * HOUR_MS) })));
    const all = await list(`?mailbox=${mailbox}`);
    expect(all.map(({ at }) => at)).toEqual([1, 2, 3, 4, 5].map((hours) => ago(hours * HOUR_MS).slice(0, -1)));
    const found: Message[] = [];
    for (let url: string | undefined = `/messages?mailbox=${mailbox}&limit=2`; url !== undefined; ) {
      const response: { body: Message[]; headers: Record<string, string> } = await api.as(acme).get(url).expect(200);
      expect(response.body.length).toBeLessThanOrEqual(2);
      found.push(...response.body);
      url = /<([^>]+)>; rel="next"/.exec(response.headers.link ?? '')?.[1];
    }
    expect(found).toEqual(all);
  });

  it.each([
    ['?after=1', 'after'],
    ['?state=lost', 'state'],
    ['?domain=no name', 'domain'],
    ['?since=soon', 'since'],
  ])('%s is refused and names %s', async (query, field) => {
    const { body } = await api.as(acme).get(`/messages${query}`).expect(422);
    expect(JSON.stringify(body)).toContain(field);
  });

  it.each([
    [{ host: 'ü' }, 'items[0].host'],
    [{ step: 'sent' }, 'items[0].step'],
    [{ recipient: 'a\nb' }, 'items[0].recipient'],
    [{ at: 1 }, 'items[0].at'],
  ])('a report with %j is refused, names %s and changes nothing', async (fields, field) => {
    const recipient = `bad${queue}@elsewhere.example`;
    const items = [item({ recipient, ...fields }), item({ recipient })];
    const { body } = await api.as(POLICY).post('/outbound/trail', { items }).expect(422);
    expect(JSON.stringify(body)).toContain(field);
    expect(await list(`?recipient=${recipient}`)).toEqual([]);
  });

  it('a thousand items with the longest texts are one report', async () => {
    const long = (length: number) => 'ü'.repeat(length);
    const items = Array.from({ length: 1_000 }, () =>
      item({ recipient: long(320), sender: long(320), message_id: long(250), detail: long(128), reason: long(64) }),
    );
    expect(await report(...items)).toEqual({ taken: 1_000, dropped: 0 });
  });

  it('what an operator read is in the audit log once for each partner and hour, with the names of the filters', async () => {
    const rows = async () =>
      (await api.as(MASTER).get('/audit?action=trail.read').expect(200)).body as { partner_ref: string; at: string }[];
    api.clock.advance(HOUR_MS);
    const before = (await rows()).length;
    const query = '?recipient=bob@rival.example&direction=in';
    for (let times = 0; times < 3; times += 1) await list(query, READ);
    await list('?recipient=nobody@absent.example', READ);
    await list(query, rival);
    const added = (await rows()).slice(before);
    expect(added).toMatchObject([
      { partner_ref: 'rival', actor_kind: 'operator', before: null, after: { filters: ['recipient', 'direction'] } },
    ]);
    expect(JSON.stringify(added)).not.toContain('bob');
    await list('?recipient=bob@rival.example', READ);
    api.clock.advance(HOUR_MS);
    await list(query, READ);
    expect((await rows()).slice(before).map(({ partner_ref: ref }) => ref)).toEqual(['rival', 'acme', 'rival']);
    expect((await api.as(rival).get('/events').expect(200)).text).not.toContain('trail');
  });

  it('an operator that reads the rows of all partners is in the audit log for each whose rows it got, and for no other', async () => {
    const idle = await api.key('idle');
    await api.as(idle).post('/domains/', { name: 'idle.example' }).expect(201);
    api.clock.advance(25 * HOUR_MS);
    const rows = async (query = '') =>
      (await api.as(MASTER).get(`/audit?action=trail.read${query}`).expect(200)).body as { partner_ref: string }[];
    const before = (await rows()).length;
    await report(item(), item(), item({ domain: 'rival.example', sender: 'x@rival.example' }));
    const all = await list('', READ);
    expect(all).toHaveLength(3);
    await list('?limit=1', READ);
    expect((await rows()).slice(before)).toMatchObject([
      { partner_ref: 'acme', after: { filters: [] } },
      { partner_ref: 'rival', after: { filters: [] } },
    ]);
    api.clock.advance(HOUR_MS);
    await api.as(READ).get(`/messages/${all[0]?.id}`).expect(200);
    expect((await rows()).slice(before + 2)).toMatchObject([{ after: { filters: ['id'] } }]);
    for (const token of [MASTER, acme]) {
      expect((await api.as(token).get('/events').expect(200)).text).not.toContain('trail');
    }
  });

  it('the schedule drops the days that are not kept', async () => {
    const old = await list('?recipient=old@elsewhere.example');
    expect(old).toHaveLength(1);
    api.clock.advance(6 * 24 * HOUR_MS);
    expect(await list('?recipient=old@elsewhere.example')).toEqual([]);
    await api.container.get(KeepTrailDays).execute();
    await api.as(acme).get(`/messages/${old[0]?.id}`).expect(404);
  });

  it('an answer says how far a mail server is behind, and since when rows are missing', async () => {
    const headersOf = async (token: string) => {
      const { headers } = await api.as(token).get('/messages?domain=acme.example').expect(200);
      return [headers['mailstead-trail-behind'], headers['mailstead-trail-gaps']];
    };
    await report(item({ host: 'slow.example', at: ago(90_000) }));
    expect(await headersOf(acme)).toEqual(['90', undefined]);
    const partnerId = await partnerIdOf(acme);
    const { database } = api;
    await database.write('INSERT INTO trail_gap (partner_id, since, until) VALUES (?, ?, ?)', [
      partnerId,
      Date.parse(ago(HOUR_MS)),
      Date.parse(ago(1)),
    ]);
    expect(await headersOf(acme)).toEqual(['90', ago(HOUR_MS).slice(0, -1)]);
    const [row] = await list('?domain=acme.example');
    const { headers } = await api.as(acme).get(`/messages/${row?.id}`).expect(200);
    expect(headers['mailstead-trail-gaps']).toBe(ago(HOUR_MS).slice(0, -1));
    expect((await api.as(rival).get('/messages').expect(200)).headers['mailstead-trail-gaps']).toBeUndefined();
    await report(item({ host: 'slow.example', at: ago(1_000) }));
    expect(await headersOf(acme)).toEqual([undefined, ago(HOUR_MS).slice(0, -1)]);
    await database.write('DELETE FROM trail_gap');
  });
});

onHttpDatabase((kind) => {
  it('with TRAIL_DAYS=0 nothing is kept', async () => {
    const api = await startTestApi(kind, { TRAIL_DAYS: '0' });
    const acme = await api.key('acme');
    await api.as(acme).post('/domains/', { name: 'acme.example' }).expect(201);
    const at = api.clock.now().toISOString();
    const given = { host: 'mx', queue_id: 'Q', at, step: 'accepted', direction: 'out' };
    const items = [{ ...given, domain: 'acme.example', sender: 'a@acme.example', recipient: 'b@c.example' }];
    const { body } = await api.as(POLICY).post('/outbound/trail', { items }).expect(202);
    expect(body).toEqual({ taken: 0, dropped: 1 });
    expect((await api.as(acme).get('/messages').expect(200)).body).toEqual([]);
    await api.close();
  });
});
