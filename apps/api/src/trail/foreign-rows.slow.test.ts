import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { HOUR_MS, MINUTE_MS } from '@mailstead/core/clock';
import { MASTER, POLICY, READ, startTestApi, type TestApi } from '../testing/api-fixture.js';

/** The most rows that a request looks at. */
const MOST_LOOKED_AT = 20_000;
const ROWS_PER_REPORT = 1_000;

onHttpDatabase((kind) => {
  let api: TestApi;
  let acme: string;
  let rival: string;

  beforeAll(async () => {
    api = await startTestApi(kind);
    acme = await api.key('acme');
    rival = await api.key('rival');
    await api.as(acme).post('/domains/', { name: 'acme.example' }).expect(201);
    await api.as(rival).post('/domains/', { name: 'rival.example' }).expect(201);
  });
  afterAll(() => api.close());

  /** Reports more rows of a domain than a request looks at. */
  async function reportMany(domain: string): Promise<void> {
    const given = { host: 'mx', step: 'accepted', direction: 'out', domain };
    for (let report = 0; report <= MOST_LOOKED_AT / ROWS_PER_REPORT; report += 1) {
      const items = Array.from({ length: ROWS_PER_REPORT }, (_, index) => ({
        ...given,
        // SQLite keeps 3,000 rows for each minute of the messages.
        at: new Date(api.clock.now().getTime() - (report + 1) * MINUTE_MS).toISOString(),
        queue_id: `${domain}${report}x${index}`.replaceAll('.', 'x'),
        sender: `info@${domain}`,
        recipient: 'jane@elsewhere.example',
      }));
      await api.as(POLICY).post('/outbound/trail', { items }).expect(202);
    }
  }

  it('the former owner of a domain finds its rows before more rows of the next one', async () => {
    await api.as(acme).post('/domains/', { name: 'moved.example' }).expect(201);
    const own = { host: 'mx', queue_id: 'QOWN', step: 'accepted', direction: 'out', domain: 'moved.example' };
    const addresses = { sender: 'info@moved.example', recipient: 'own@elsewhere.example' };
    const items = [{ ...own, ...addresses, at: api.clock.now().toISOString() }];
    await api.as(POLICY).post('/outbound/trail', { items }).expect(202);
    api.clock.advance(MINUTE_MS);
    await api.as(MASTER).put('/domains/moved.example/partner', { partner_ref: 'rival' }).expect(200);
    api.clock.advance(HOUR_MS);
    await reportMany('moved.example');
    for (const filter of ['domain=moved.example', 'mailbox=info@moved.example']) {
      const { body } = await api.as(acme).get(`/messages?${filter}&limit=10`).expect(200);
      expect(body).toMatchObject([{ recipient: 'own@elsewhere.example' }]);
    }
  });

  it('a partner that got a domain back pages to its first rows, past more rows of the partner between', async () => {
    await api.as(acme).post('/domains/', { name: 'back.example' }).expect(201);
    const move = async (partner: string) => {
      api.clock.advance(HOUR_MS);
      await api.as(MASTER).put('/domains/back.example/partner', { partner_ref: partner }).expect(200);
      api.clock.advance(HOUR_MS);
    };
    const send = async (name: string) => {
      const own = { host: 'mx', queue_id: `Q${name}`, step: 'accepted', direction: 'out', domain: 'back.example' };
      const addresses = { sender: 'info@back.example', recipient: `${name}@elsewhere.example` };
      const items = [{ ...own, ...addresses, at: api.clock.now().toISOString() }];
      await api.as(POLICY).post('/outbound/trail', { items }).expect(202);
    };
    await send('first');
    await move('rival');
    await reportMany('back.example');
    await move('acme');
    await send('last');
    api.clock.advance(MINUTE_MS);
    for (const filter of ['domain=back.example', 'mailbox=info@back.example']) {
      const found: string[] = [];
      for (let url: string | undefined = `/messages?${filter}&limit=1`; url !== undefined; ) {
        const page: { body: { recipient: string }[]; headers: Record<string, string> } = await api
          .as(acme)
          .get(url)
          .expect(200);
        found.push(...page.body.map(({ recipient }) => recipient));
        url = /<([^>]+)>; rel="next"/.exec(page.headers.link ?? '')?.[1];
      }
      expect(found).toEqual(['last@elsewhere.example', 'first@elsewhere.example']);
    }
  });

  it('more rows of another partner than a request looks at are as none', async () => {
    await reportMany('rival.example');
    for (const filter of ['domain=rival.example', 'mailbox=info@rival.example']) {
      const none = await api.as(acme).get(`/messages?${filter}&limit=10`).expect(200);
      expect([none.body, none.headers.link]).toEqual([[], undefined]);
      for (const token of [rival, READ]) {
        const wanted = await api.as(token).get(`/messages?${filter}&state=bounced&limit=10`).expect(200);
        expect([wanted.body, wanted.headers.link]).toEqual([[], expect.stringContaining('rel="next"')]);
      }
    }
  });
});
