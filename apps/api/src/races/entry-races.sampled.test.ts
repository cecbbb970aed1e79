import { LastUsedStamps } from '@mailstead/adapters/database/api-keys/last-used-stamps';
import { onEachDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { DAY_MS, HOUR_MS } from '@mailstead/core/clock';
import { sampleSize } from '@mailstead/core/testing/sampled';
import { BILLING, MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { atOnce, manyAtOnce } from '../testing/at-once.js';
import { Browser } from '../testing/browser.js';
import { copyRow } from '../testing/copied-rows.js';
import { type CreatedKey, codeOf, KeyWorld } from '../testing/key-world.js';
import { LinkWorld } from '../testing/link-world.js';

/** The most links of a key that have not ended. */
const MOST_LINKS = 100;
/** The callers at the same time. */
const AT_ONCE = sampleSize(20, 6);

/** Sessions, portal links and keys, when many are made or used at the same time. */
onEachDatabase((kind) => {
  let api: TestApi;
  let replica: Awaited<ReturnType<TestApi['startReplica']>>;
  let links: LinkWorld;
  let keys: KeyWorld;

  beforeAll(async () => {
    api = await startTestApi(kind);
    replica = await api.startReplica();
    links = new LinkWorld(api);
    keys = new KeyWorld(api);
  });
  afterAll(async () => {
    await replica.close();
    await api.close();
  });

  const enter = async (token: string): Promise<Browser> => {
    const browser = new Browser(api.url);
    expect((await browser.enter(token)).status).toBe(201);
    return browser;
  };
  const copySession = ({ id }: Browser, count: number) =>
    copyRow(api.database, { table: 'portal_session', id, unique: 'token_hash' }, count);
  const flushStamps = () => api.container.get(LastUsedStamps).flush();
  const isOut = async (browser: Browser) => (await browser.send('get', '/me')).status === 401;

  describe('a session', () => {
    it('beyond 20 of a key ends the oldest, also when they are opened at once', async () => {
      const key = await api.key('many');
      const first = await enter(key);
      await copySession(first, 20 - AT_ONCE);
      await manyAtOnce(AT_ONCE, () => new Browser(api.url).enter(key));
      await first.send('get', '/me').expect(401);
      expect((await api.as(key).get('/sessions').expect(200)).body).toHaveLength(20);
    });

    it('with a token of the settings is let in however many enter at once on two replicas, and 20 sessions stay', async () => {
      const urls = [api.url, replica.url];
      await copySession(await enter(MASTER), 19);
      const all = await manyAtOnce(sampleSize(30, 8), (index) => new Browser(urls[index % 2] ?? '').enter(MASTER));
      expect(all.filter(({ status }) => status !== 201)).toEqual([]);
      const last = new Browser(api.url);
      await last.enter(MASTER);
      expect((await last.send('get', '/sessions').expect(200)).body).toHaveLength(20);
    });
  });

  describe('a portal link', () => {
    it('for DNS has 500 sessions; a further one ends the one unused longest, and none of its key', async () => {
      const { key, domain } = await links.partner();
      const ofKey = await enter(key);
      const made = await links.create(key, { domain, scope: 'dns' });
      const [oldest, unused] = [await links.enter(made), await links.enter(made)];
      const now = api.clock.now().getTime();
      const others = Array.from({ length: 497 }, (_, i) => [`${made.id}-${i}`, made.id, now, now, now + DAY_MS]);
      await api.database.write(
        `INSERT INTO portal_session (token_hash, link_id, created_at, last_used_at, expires_at)
         VALUES ${others.map(() => '(?, ?, ?, ?, ?)').join(', ')}`,
        others.flat(),
      );
      const last = await links.enter(made);
      expect(await Promise.all([oldest, unused, last].map(isOut))).toEqual([false, false, false]);
      await flushStamps();
      const idsOfLink = async () =>
        (await api.database.read('SELECT id FROM portal_session WHERE link_id = ? ORDER BY id', [made.id])).map(
          ({ id }) => Number(id),
        );
      const [, second = 0] = await idsOfLink();
      await api.database.write('UPDATE portal_session SET last_used_at = ? WHERE id = ?', [now - 1, second]);
      const further = await links.enter(made);
      const out = await Promise.all([oldest, unused, last, further, ofKey].map(isOut));
      expect(out).toEqual([false, true, false, false, false]);
      await manyAtOnce(AT_ONCE, () => new Browser(api.url).enter(null, { code: made.code }));
      expect(await idsOfLink()).toHaveLength(500);
    });

    it('for managing is used by exactly one of many at once', async () => {
      const { key, domain } = await links.partner();
      const { code } = await links.create(key, { domain, scope: 'manage' });
      const all = await manyAtOnce(10, () => new Browser(api.url).enter(null, { code }));
      expect(all.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(all.filter(({ status }) => status === 401)).toHaveLength(9);
    });
  });

  describe('the links of a key', () => {
    const make = (token: string, domain: string) => api.as(token).post('/portal-links', { domain, scope: 'dns' });
    /** Leaves place for `left` more. */
    const fill = async (token: string, domain: string, left: number) => {
      const { id } = await links.create(token, { domain, scope: 'dns' });
      await copyRow(api.database, { table: 'portal_link', id, unique: 'code_hash' }, MOST_LINKS - 1 - left);
    };
    async function makeMany(token: string, domains: string[], number: number): Promise<number[]> {
      const answers = await manyAtOnce(number, (index) => make(token, domains[index % domains.length] ?? ''));
      return answers.map(({ status }) => status);
    }

    it('are at most 100 that have not ended, also when they are made at once for several domains', async () => {
      const { partner, key, domain, other } = await links.partner();
      const left = sampleSize(20, 4);
      await fill(key, domain, left);
      const statuses = await makeMany(key, [domain, other], 2 * left);
      expect(statuses.filter((status) => status === 201)).toHaveLength(left);
      const { body } = await make(key, domain).expect(409);
      expect(body).toMatchObject({ code: 'too_many_links' });
      // Other keys and operators have their own.
      await make(await api.key(partner), domain).expect(201);
      await make(BILLING, domain).expect(201);
      await make(MASTER, domain).expect(201);
      const [{ id }] = (await api.as(key).get('/portal-links?limit=1').expect(200)).body;
      await api.as(key).delete(`/portal-links/${id}`).expect(204);
      expect((await makeMany(key, [domain], 5)).filter((status) => status === 201)).toHaveLength(1);
      api.clock.advance(7 * DAY_MS);
      await make(key, domain).expect(201);
    });

    it('are those of its successor after a rotation', async () => {
      const { key, domain } = await links.partner();
      await fill(key, domain, 0);
      const { body } = await api.as(MASTER).post(`/api-keys/${key}/rotate`).expect(201);
      await make(body.token, domain).expect(409);
      await make(key, domain).expect(201);
    });
  });

  describe('with fifty keys that keys made', () => {
    let first: CreatedKey;
    /** Their tokens are known. */
    let made: CreatedKey[];
    let others: { id: number }[];
    const rotate = (key: { id: number }) => api.as(first.token).post(`/me/keys/${key.id}/rotate`);
    const count = async () => (await api.as(first.token).get('/me/keys').expect(200)).body.length;

    beforeEach(async () => {
      first = await keys.partner();
      made = [];
      for (let index = 0; index < 5; index += 1) made.push(await keys.create(first.token));
      const source = { table: 'api_key', id: made[0]?.id ?? 0, unique: 'token_hash' };
      others = (await copyRow(api.database, source, 45)).map((id) => ({ id }));
    });

    it('many keys can be rotated at once, and the old one and its successor count as one also during the overlap', async () => {
      const rotated = [...made, ...others].slice(0, sampleSize(50, 8));
      const rotations = await atOnce(rotated.map((key) => () => rotate(key)));
      expect(rotations.map(({ status }) => status)).toEqual(rotated.map(() => 201));
      for (const { token } of made) await api.as(token).get('/me').expect(200);
      expect(codeOf(await api.as(first.token).post('/me/keys').expect(409))).toBe('too_many_keys');
      expect(await count()).toBe(50 + rotated.length);
      await api.as(first.token).delete(`/me/keys/${rotations[0]?.body.id}`).expect(204);
      // The old key is still valid, and now counts alone.
      expect(codeOf(await api.as(first.token).post('/me/keys').expect(409))).toBe('too_many_keys');
      await api.as(first.token).delete(`/me/keys/${made[0]?.id}`).expect(204);
      await keys.create(first.token);
    });

    it('rotations of one key at once make one successor, and a further rotation waits for the end of an overlap', async () => {
      const [key] = made as [CreatedKey];
      const statuses = (await manyAtOnce(5, () => rotate(key))).map(({ status }) => status);
      expect(statuses.toSorted((left, right) => left - right)).toEqual([201, 409, 409, 409, 409]);
      const { body: list } = await api.as(first.token).get('/me/keys').expect(200);
      const successor = list.at(-1) as CreatedKey;
      expect(codeOf(await rotate(successor).expect(409))).toBe('too_many_keys');
      expect(codeOf(await rotate(key).expect(409))).toBe('too_many_keys');
      expect(await count()).toBe(51);
      api.clock.advance(24 * HOUR_MS);
      const { body: second } = await rotate(successor).expect(201);
      expect(second.id).not.toBe(successor.id);
      await api.as(MASTER).get(`/api-keys/${key.id}`).expect(404);
      expect(await count()).toBe(51);
    });
  });
});
