import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@mailstead/core/clock';
import { MASTER, POLICY, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { LinkWorld } from '../testing/link-world.js';

interface Message {
  id: string;
  domain: string;
  recipient: string;
}

/** A partner, or who has one of its keys or links, learns nothing of the messages of others. */
onHttpDatabase((kind) => {
  let api: TestApi;
  let links: LinkWorld;
  let queue = 0;

  beforeAll(async () => {
    api = await startTestApi(kind);
    links = new LinkWorld(api);
  });
  afterAll(() => api.close());

  const ago = (seconds: number) => new Date(api.clock.now().getTime() - seconds * SECOND_MS).toISOString();
  const item = (domain: string, fields: object = {}) => {
    queue += 1;
    return {
      host: 'mx1.example',
      queue_id: `Q${queue}`,
      at: ago(1),
      step: 'accepted',
      direction: 'out',
      domain,
      sender: `info@${domain}`,
      recipient: 'jane@elsewhere.example',
      message_id: '<list@elsewhere.example>',
      ...fields,
    };
  };
  const report = (...items: object[]) => api.as(POLICY).post('/outbound/trail', { items }).expect(202);
  const list = async (token: string, query: string): Promise<Message[]> =>
    (await api.as(token).get(`/messages?${query}`).expect(200)).body;
  const recipientsOf = (rows: Message[]) => rows.map(({ recipient }) => recipient);

  it('the ids, pages, cursors and headers of a partner are the same with and without messages of another one', async () => {
    const [one, other] = [await links.partner(), await links.partner()];
    await report(...[1, 3, 5].map((seconds) => item(one.domain, { at: ago(seconds) })));
    const queries = [
      `domain=${one.domain}`,
      'recipient=jane@elsewhere.example',
      `message_id=${encodeURIComponent('<list@elsewhere.example>')}`,
      `domain=${other.domain}`,
      `mailbox=info@${other.domain}`,
      'state=accepted',
    ];
    const read = async (after = '') =>
      Promise.all(
        queries.map(async (query) => {
          const { body, headers } = await api.as(one.key).get(`/messages?${query}&limit=2${after}`).expect(200);
          return { body: body as unknown, next: headers.link, gaps: headers['mailstead-trail-gaps'] };
        }),
      );
    const before = await read();
    await report(...Array.from({ length: 30 }, () => item(other.domain, { at: ago(2) })));
    expect(await read()).toEqual(before);
    const theirs = await list(other.key, `domain=${other.domain}`);
    expect(theirs).toHaveLength(30);
    // An id of a foreign row is a cursor like any other text of its form.
    const invented = theirs[15]?.id.slice(0, 11) + 'x'.repeat(22);
    expect(await read(`&after=${theirs[15]?.id}`)).toEqual(await read(`&after=${invented}`));
    const absent = await api.as(one.key).get(`/messages/${invented}`).expect(404);
    const foreign = await api.as(one.key).get(`/messages/${theirs[0]?.id}`).expect(404);
    const told = ({ body }: { body: Record<string, unknown> }) => ({ ...body, request_id: null, instance: null });
    expect(told(foreign)).toEqual(told(absent));
  });

  it('a link to manage a domain shows its messages alone, and one to its records shows none', async () => {
    const { key, domain, other } = await links.partner();
    await report(item(domain), item(other));
    const manager = await links.enter(await links.create(key, { domain, scope: 'manage' }));
    for (const query of ['', '?recipient=jane@elsewhere.example', `?domain=${domain}`]) {
      expect((await manager.send('get', `/messages${query}`).expect(200)).body).toMatchObject([{ domain }]);
    }
    expect((await manager.send('get', `/messages?domain=${other}`).expect(200)).body).toEqual([]);
    const [hidden] = await list(key, `domain=${other}`);
    await manager.send('get', `/messages/${hidden?.id}`).expect(404, /message_not_found/);
    const [own] = await list(key, `domain=${domain}`);
    await manager.send('get', `/messages/${own?.id}`).expect(200);
    const records = await links.enter(await links.create(key, { domain, scope: 'dns' }));
    for (const path of ['/messages', `/messages/${own?.id}`]) await records.send('get', path).expect(403);
  });

  it('a key of a domain that was deleted and created again has the messages of the new one, and the partner those of both', async () => {
    const { partner, key, domain } = await links.partner();
    await report(item(domain, { recipient: 'old@elsewhere.example' }));
    await api.as(key).delete(`/domains/${domain}`).expect(204);
    api.clock.advance(MINUTE_MS);
    await api.as(key).post('/domains/', { name: domain }).expect(201);
    api.clock.advance(MINUTE_MS);
    await report(item(domain, { recipient: 'new@elsewhere.example' }));
    const limited = await api.key(partner, { domains: [domain] });
    expect(recipientsOf(await list(limited, `domain=${domain}`))).toEqual(['new@elsewhere.example']);
    expect(recipientsOf(await list(key, `domain=${domain}`))).toEqual([
      'new@elsewhere.example',
      'old@elsewhere.example',
    ]);
  });

  it('a domain that comes back shows a partner its messages of both times, and none of those between', async () => {
    const [one, other] = [await links.partner(), await links.partner()];
    const { domain } = one;
    const moveTo = async (ref: string) => {
      api.clock.advance(HOUR_MS);
      await api.as(MASTER).put(`/domains/${domain}/partner`, { partner_ref: ref }).expect(200);
      api.clock.advance(HOUR_MS);
    };
    const send = (name: string) => report(item(domain, { recipient: `${name}@elsewhere.example` }));
    await send('first');
    await moveTo(other.partner);
    await send('between');
    await moveTo(one.partner);
    await send('last');
    for (const query of [`domain=${domain}`, `mailbox=info@${domain}`]) {
      const own = ['last@elsewhere.example', 'first@elsewhere.example'];
      expect(recipientsOf(await list(one.key, query))).toEqual(own);
      expect(recipientsOf(await list(other.key, query))).toEqual(['between@elsewhere.example']);
    }
    const [between] = await list(other.key, `domain=${domain}`);
    await api.as(one.key).get(`/messages/${between?.id}`).expect(404);
  });

  it('a report about a message of one domain cannot name another one as its own', async () => {
    const [one, other] = [await links.partner(), await links.partner()];
    const own = item(one.domain);
    await report(own);
    const { body } = await report({ ...own, domain: other.domain, step: 'bounced', detail: 'forged' });
    expect(body).toEqual({ taken: 0, dropped: 1 });
    expect(await list(one.key, `domain=${one.domain}`)).toMatchObject([{ state: 'accepted' }]);
    expect(await list(other.key, `domain=${other.domain}`)).toEqual([]);
  });
});
