import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { Browser } from '../testing/browser.js';

type Step = 'key' | 'dns' | 'manage' | 'session';

/** What is made with a key, at most three keys long. The chain ends with a session, also that of a link. */
const CHAINS: Step[][] = [['session'], ['key', 'key', 'session'], ['key', 'key', 'dns'], ['key', 'key', 'manage']];

/** One member of a chain: how it is made to end, by an operator or by itself. */
interface Member {
  name: string;
  end: () => Promise<unknown>;
}

onHttpDatabase((kind) => {
  describe('who entered through a chain of keys and links', () => {
    let api: TestApi;
    let replica: Awaited<ReturnType<TestApi['startReplica']>>;
    let worlds = 0;

    beforeAll(async () => {
      api = await startTestApi(kind);
      replica = await api.startReplica();
    });
    afterAll(async () => {
      await replica.close();
      await api.close();
    });

    const idOf = async (token: string): Promise<number> =>
      (await api.as(MASTER).get(`/api-keys/${token}`).expect(200)).body.id;
    const deleteKey = (id: number) => () => api.as(MASTER).delete(`/api-keys/${id}`).expect(204);

    /** Makes the chain below a new key of an operator. @returns its members and the browser at its end */
    async function make(steps: readonly Step[]): Promise<{ members: Member[]; browser: Browser }> {
      worlds += 1;
      const domain = `chain${worlds}.example`;
      let token = await api.key(`chain${worlds}`);
      await api.as(token).post('/domains/', { name: domain }).expect(201);
      const members: Member[] = [{ name: 'first key', end: deleteKey(await idOf(token)) }];
      const browser = new Browser(api.url);
      for (const step of steps) {
        if (step === 'key') {
          const { body } = await api.as(token).post('/me/keys').expect(201);
          token = body.token;
          members.push({ name: `key ${members.length + 1}`, end: deleteKey(body.id) });
        } else if (step === 'session') {
          expect((await browser.enter(token)).status).toBe(201);
        } else {
          const { body } = await api.as(token).post('/portal-links', { domain, scope: step }).expect(201);
          expect((await browser.enter(null, { code: body.url.split('#code=')[1] })).status).toBe(201);
          members.push({ name: 'link', end: () => api.as(MASTER).delete(`/portal-links/${body.id}`).expect(204) });
        }
      }
      members.push({ name: 'session', end: () => browser.send('delete', '/sessions/current').expect(204) });
      return { members, browser };
    }

    const statusOn = async (url: string, { cookie }: Browser) => {
      const there = new Browser(url);
      there.cookie = cookie;
      return (await there.send('get', '/me')).status;
    };

    it.each(CHAINS.map((steps) => [`key → ${steps.join(' → ')}`, steps] as const))(
      '%s is out on both replicas with the next request, whichever member ends',
      async (_, steps) => {
        let count = 1;
        for (let index = 0; index < count; index += 1) {
          const { members, browser } = await make(steps);
          count = members.length;
          const member = members[index];
          expect([await statusOn(api.url, browser), await statusOn(replica.url, browser)]).toEqual([200, 200]);
          await member?.end();
          expect([member?.name, await statusOn(replica.url, browser), await statusOn(api.url, browser)]).toEqual([
            member?.name,
            401,
            401,
          ]);
        }
      },
    );

    it('is narrowed with each key of the chain, on both replicas', async () => {
      worlds += 1;
      const domain = `chain${worlds}.example`;
      const first = await api.key(`chain${worlds}`);
      await api.as(first).post('/domains/', { name: domain }).expect(201);
      const { body: second } = await api.as(first).post('/me/keys').expect(201);
      const { body: link } = await api.as(second.token).post('/portal-links', { domain, scope: 'manage' }).expect(201);
      const [ofKey, ofLink] = [new Browser(replica.url), new Browser(replica.url)];
      await ofKey.enter(second.token);
      await ofLink.enter(null, { code: link.url.split('#code=')[1] });
      const change = (browser: Browser) =>
        browser.send('put', `/domains/${domain}/outbound`, { daily_limit: 5 }).then(({ body }) => body.code ?? 'done');
      expect([await change(ofKey), await change(ofLink)]).toEqual(['done', 'done']);
      await api
        .as(MASTER)
        .put(`/api-keys/${await idOf(first)}`, { scope: 'read', domains_allowed: 7 })
        .expect(200);
      expect([await change(ofKey), await change(ofLink)]).toEqual(['key_read_only', 'key_read_only']);
      expect((await ofKey.send('get', '/me').expect(200)).body.limits.domains_allowed).toBe(7);
      await api
        .as(MASTER)
        .put(`/api-keys/${await idOf(first)}`, { scope: 'manage', domains: [] })
        .expect(422);
    });

    it('with a token of the settings is out where that token is not configured any more', async () => {
      const browser = new Browser(api.url);
      expect((await browser.enter(MASTER)).status).toBe(201);
      const rotated = await api.startReplica({ MASTER_TOKEN: 'another-master-token-of-the-tests-0123456789' });
      expect([await statusOn(rotated.url, browser), await statusOn(api.url, browser)]).toEqual([401, 200]);
      await rotated.close();
    });

    it('with a token of the settings is as wide as that token is', async () => {
      const token = 'narrowed-token-of-the-tests-0123456789';
      const before = await api.startReplica({ OPERATOR_TOKENS: `o:billing:${token}` });
      const after = await api.startReplica({ OPERATOR_TOKENS: `o:read:${token}` });
      await api.as(MASTER).post('/domains/', { name: 'narrowed.example' }).expect(201);
      const browser = new Browser(before.url);
      expect((await browser.enter(token)).status).toBe(201);
      const { body } = await browser
        .send('post', '/portal-links', { domain: 'narrowed.example', scope: 'dns' })
        .expect(201);
      const guest = new Browser(before.url);
      expect((await guest.enter(null, { code: body.url.split('#code=')[1] })).status).toBe(201);
      const there = Object.assign(new Browser(after.url), { cookie: browser.cookie, csrf: browser.csrf });
      expect((await there.send('get', '/me').expect(200)).body.scope).toBe('read');
      await there.send('post', '/portal-links', { domain: 'narrowed.example', scope: 'dns' }).expect(403);
      expect([await statusOn(before.url, guest), await statusOn(after.url, guest)]).toEqual([200, 401]);
      await before.close();
      await after.close();
    });
  });
});
