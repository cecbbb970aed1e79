import { connect } from 'node:net';
import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { EventPositioner } from '@mailstead/adapters/events/event-positioner';
import { MASTER, POLICY, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { fieldsOf } from './fields/field-notes.js';

const HASH = '$2y$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';
const ROWS = 4;

onHttpDatabase((kind) => {
  let api: TestApi;
  let key: string;

  beforeAll(async () => {
    api = await startTestApi(kind);
    const master = api.as(MASTER);
    for (let index = 0; index < ROWS; index += 1) {
      await api.key(`partner-${index}`);
      await master.post('/domains/', { name: `d${index}.example` }).expect(201);
    }
    await master.post('/domains/', { name: 'full.example' }).expect(201);
    await master.put('/domains/full.example/outbound', { outbound_tier: 'unlimited' }).expect(200);
    for (let index = 0; index < ROWS; index += 1) {
      const email = `u${index}@full.example`;
      await master.post('/users/', { email, password_hash: HASH }).expect(201);
      await master.post('/aliases/', { address: `a${index}@full.example`, destination: email }).expect(201);
      const sent = { sender: email, record: true };
      await api.as(POLICY).post('/domains/full.example/outbound/increment', sent).expect(200);
      await master.post('/outbound/reset-monthly').expect(200);
    }
    for (const index of [0, 1]) {
      await master.post('/domains/', { name: `gone${index}.example` }).expect(201);
      await master.delete(`/domains/gone${index}.example`).expect(204);
      await master.post('/portal-links', { domain: 'full.example', scope: 'dns' }).expect(201);
      const suppressed = { address: `s${index}@elsewhere.example`, domain: 'full.example' };
      await master.post('/suppressions', suppressed).expect(201);
    }
    for (const host of ['one', 'two']) {
      await master.post('/webhook-endpoints', { url: `https://${host}.example.net/` }).expect(201);
    }
    key = await api.key('partner-0');
    for (const name of ['shop', 'desk']) await api.as(key).post('/me/keys', { name }).expect(201);
    await api.database.write(
      `INSERT INTO bounce (domain_id, partner_id, at, kind, recipient, message_id)
       SELECT d.id, d.partner_id, ?, 'permanent', m.email, m.email FROM domain d JOIN mailbox m ON m.domain_id = d.id`,
      [api.clock.now().getTime()],
    );
    const at = new Date(api.clock.now().getTime() - 1).toISOString();
    const sent = {
      host: 'mx',
      at,
      step: 'accepted',
      direction: 'out',
      domain: 'full.example',
      sender: 'a@full.example',
    };
    const items = ['A1', 'A2', 'A3'].map((id) => ({ ...sent, queue_id: id, recipient: 'b@elsewhere.example' }));
    await api.as(MASTER).post('/outbound/trail', { items }).expect(202);
    await api.container.get(EventPositioner).giveAll();
  });
  afterAll(() => api.close());

  const paged = () => api.routes.filter(({ query }) => query !== undefined && fieldsOf(query).has('limit'));
  const pathOf = (path: string) => path.replace(':domain_name', 'full.example');
  /** Only a partner's own key reads its keys. */
  const get = (path: string) =>
    api
      .as(path.startsWith('/me/') ? key : MASTER)
      .get(path)
      .expect(200);

  /** Sends these bytes. @returns the header `Link` of the response. */
  const linkOf = (target: string, host: string) =>
    new Promise<string | undefined>((resolve) => {
      const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
      let text = '';
      socket.setEncoding('latin1').on('data', (chunk: string) => {
        text += chunk;
      });
      socket.on('close', () => resolve(/^Link: (.*)\r$/m.exec(text)?.[1]));
      socket.write(
        `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nX-Forwarded-Host: evil.example\r\nAuthorization: Bearer ${MASTER}\r\nConnection: close\r\n\r\n`,
        'latin1',
      );
    });

  it('the last page of every list has no link, also when it is full', async () => {
    expect(paged().length).toBeGreaterThan(7);
    for (const route of paged()) {
      const path = pathOf(route.path);
      const { length } = (await get(path)).body as unknown[];
      expect([path, length >= 2]).toEqual([path, true]);
      expect([path, (await get(`${path}?limit=${length}`)).headers.link]).toEqual([path, undefined]);
      expect([path, (await get(`${path}?limit=${length + 1}`)).headers.link]).toEqual([path, undefined]);
      const { body, headers } = await get(`${path}?limit=${length - 1}`);
      expect([path, body.length]).toEqual([path, length - 1]);
      const next = /^<(.+)>; rel="next"$/.exec(headers.link ?? '')?.[1] ?? '';
      const rest = await get(next);
      expect([path, rest.body.length, rest.headers.link]).toEqual([path, 1, undefined]);
    }
  });

  it.each(['evil.example', 'evil.example:1', '', 'a"b', '<evil>', 'xn--bcher-kva.example'])(
    'a link is a path of the service, whatever the header Host: %j',
    async (host) => {
      for (const target of [
        '/domains/?limit=1',
        'http://evil.example/domains/?limit=1',
        'https://user:pw@evil.example:8443/domains/?limit=1',
        'HTTP://EVIL.EXAMPLE/domains/?limit=1',
      ]) {
        expect(await linkOf(target, host)).toMatch(/^<\/domains\/\?limit=1&after=\d+>; rel="next"$/);
      }
    },
  );

  it.each(['//evil.example/domains/?limit=1', 'http://evil.example//evil.example/domains/?limit=1'])(
    'a target with two slashes, %s, is no route',
    async (target) => {
      expect(await linkOf(target, 'a')).toBeUndefined();
    },
  );

  it('a link keeps the parameters of the request, encoded', async () => {
    const link = await linkOf('/audit?limit=1&actor=master&domain=full.example', 'a');
    expect(link).toMatch(/^<\/audit\?limit=1&actor=master&domain=full\.example&after=\d+>; rel="next"$/);
    await api.database.write('UPDATE audit_log SET actor = ?', ['a?b&c=<d>;"e']);
    const odd = await linkOf(`/audit?actor=${encodeURIComponent('a?b&c=<d>;"e').replace('%3F', '?')}&limit=1`, 'a');
    expect(odd).toMatch(/^<\/audit\?actor=a%3Fb%26c%3D%3Cd%3E%3B%22e&limit=1&after=\d+>; rel="next"$/);
    const path = /<(.+)>/.exec(odd ?? '')?.[1] ?? '';
    expect((await get(path)).body).toHaveLength(1);
  });

  it('a link encodes the path of the request', async () => {
    await api.as(MASTER).post('/domains/', { name: 'bücher.example' }).expect(201);
    const path = '/domains/xn--bcher-kva.example/outbound/senders';
    for (const sender of ['one', 'two']) {
      const sent = { sender: `${sender}@full.example`, record: true };
      await api.as(POLICY).post('/domains/xn--bcher-kva.example/outbound/increment', sent).expect(200);
    }
    expect(await linkOf(`${path}?limit=1`, 'a')).toBe(`<${path}?limit=1&after=1>; rel="next"`);
    expect(await linkOf(`${path.replace('xn--bcher-kva', 'b%C3%BCcher')}?limit=1`, 'a')).toBe(
      '</domains/b%C3%BCcher.example/outbound/senders?limit=1&after=1>; rel="next"',
    );
    const raw = await linkOf(`${path.replace('xn--bcher-kva', 'b\u00fccher')}?limit=1`, 'a');
    expect(raw ?? '').not.toMatch(/[^ -~]/);
  });

  it('caused no defect', () => {
    expect(api.log.defects).toEqual([]);
  });
});
