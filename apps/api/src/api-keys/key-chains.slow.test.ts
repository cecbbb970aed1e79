import { onEachDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { MASTER, startTwoReplicas, type TestApi } from '../testing/api-fixture.js';
import { Browser } from '../testing/browser.js';

interface Key {
  id: number;
  token: string;
}

interface Member {
  key: Key;
  /** The indices of its makers in the tree. */
  parents: number[];
}

function memberOf(tree: readonly Member[], index: number): Member {
  const member = tree[index];
  if (member === undefined) throw new Error(`The tree has no member ${index}`);
  return member;
}

/** Ways to end a key, each with the detail of the refusals below it. */
const REVOCATIONS: [string, (api: TestApi, key: Key) => Promise<unknown>, string][] = [
  ['deleted', (api, { id }) => api.as(MASTER).delete(`/api-keys/${id}`).expect(204), 'Invalid token'],
  [
    'deactivated',
    (api, { id }) => api.as(MASTER).put(`/api-keys/${id}`, { active: false }).expect(200),
    'API key is inactive',
  ],
  [
    'expired',
    (api, { id }) => api.as(MASTER).put(`/api-keys/${id}`, { expires_at: '2020-01-01' }).expect(200),
    'API key has expired',
  ],
  [
    'rotated without an overlap',
    (api, { id }) => api.as(MASTER).post(`/api-keys/${id}/rotate`, { overlap_hours: 0 }).expect(201),
    'API key has expired',
  ],
];

onEachDatabase((kind) => {
  let one: TestApi;
  let other: TestApi;
  let partners = 0;

  beforeAll(async () => {
    [one, other] = await startTwoReplicas(kind);
  });
  afterAll(async () => {
    await other.close();
    await one.close();
  });

  const make = async (token: string, body: object = {}): Promise<Key> =>
    (await one.as(token).post('/me/keys', body).expect(201)).body as Key;

  /** A tree: the operator's key, two keys that it made, and two keys that each of these made. */
  async function tree(): Promise<Member[]> {
    partners += 1;
    const token = await one.key(`tree${partners}`);
    const { body } = await one.as(MASTER).get(`/api-keys/${token}`).expect(200);
    const keys: Member[] = [{ key: { id: body.id as number, token }, parents: [] }];
    for (const maker of [0, 0, 1, 1, 2, 2]) {
      const { key, parents } = memberOf(keys, maker);
      keys.push({ key: await make(key.token), parents: [...parents, maker] });
    }
    return keys;
  }

  it.each(REVOCATIONS)(
    'when any member of a chain is %s, all below it is refused with its sessions on the next request of another replica, and nothing else',
    async (how, revoke, detail) => {
      for (let member = 0; member < 7; member += 1) {
        const keys = await tree();
        const browsers: Browser[] = [];
        for (const { key } of keys) {
          const browser = new Browser(other.url);
          expect((await browser.enter(key.token)).status).toBe(201);
          browsers.push(browser);
        }
        await revoke(one, memberOf(keys, member).key);
        const isRotation = how.startsWith('rotated');
        for (const [index, { key, parents }] of keys.entries()) {
          // What a rotated key made is its successor's.
          const isEnded = index === member || (!isRotation && parents.includes(member));
          const { status, body } = await other.as(key.token).get('/me');
          expect([member, index, (await browsers[index]?.send('get', '/me'))?.status]).toEqual([member, index, status]);
          expect([member, index, status, body.detail]).toEqual([
            member,
            index,
            isEnded ? 401 : 200,
            isEnded ? detail : undefined,
          ]);
        }
      }
    },
  );

  it('of 50 parallel creations on two replicas with room for 3, exactly 3 make a key', async () => {
    const { token } = memberOf(await tree(), 0).key;
    // Six keys of the tree are made by keys.
    for (let made = 6; made < 47; made += 1) await make(token);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? one : other).as(token).post('/me/keys')),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(3);
    expect(new Set(statuses)).toEqual(new Set([201, 409]));
    expect((await one.as(token).get('/me/keys').expect(200)).body).toHaveLength(50);
  });

  it('a key that was made while its maker was revoked is not valid', async () => {
    for (const [, revoke] of REVOCATIONS) {
      const maker = await make(memberOf(await tree(), 0).key.token);
      const created: Key[] = [];
      const creations = Array.from({ length: 12 }, async (_, index) => {
        const response = await (index % 2 === 0 ? one : other).as(maker.token).post('/me/keys');
        if (response.status === 201) created.push(response.body as Key);
        else expect(response.status).toBe(401);
      });
      await Promise.all([...creations.slice(0, 6), revoke(other, maker), ...creations.slice(6)]);
      const makers = new Map<number, number>();
      for (const { id, made_by } of (await one.as(MASTER).get('/api-keys/').expect(200)).body) makers.set(id, made_by);
      for (const { id, token } of created) {
        // A rotation hands over what the key had made until then.
        const isHandedOver = makers.has(id) && makers.get(id) !== maker.id;
        await other
          .as(token)
          .get('/me')
          .expect(isHandedOver ? 200 : 401);
      }
      await one.as(maker.token).get('/me').expect(401);
    }
  });

  it('a key that is narrowed while it makes another one never has a wider key below it', async () => {
    for (const narrowing of [{ scope: 'read' }, { domains: ['narrowed.example'] }]) {
      const { id, token } = memberOf(await tree(), 0).key;
      await one.as(token).post('/domains/', { name: 'narrowed.example' }).expect(201);
      const creations = Array.from({ length: 8 }, () => one.as(token).post('/me/keys'));
      const [, ...answers] = await Promise.all([
        other.as(MASTER).put(`/api-keys/${id}`, narrowing).expect(200),
        ...creations,
      ]);
      for (const { status, body } of answers) {
        if (status !== 201) expect(status).toBe(403);
        else
          await other
            .as((body as Key).token)
            .post('/domains/', { name: 'wide.example' })
            .expect(403);
      }
      await one.as(MASTER).delete('/domains/narrowed.example').expect(204);
    }
  });
});
