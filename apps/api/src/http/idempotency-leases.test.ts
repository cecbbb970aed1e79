import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import type { Actor } from '@mailstead/core/operators/actor';
import { startTestApi, type TestApi } from '../testing/api-fixture.js';
import { Idempotency } from './idempotency.js';

const LEASE_MS = 60_000;
const ACTOR: Actor = { kind: 'master', name: 'master', requestId: null };
const ATTEMPT = { actor: ACTOR, key: 'one', path: '/api-keys/', body: {}, table: 'api_key', status: 201 } as const;

onHttpDatabase((kind) => {
  let api: TestApi;

  beforeAll(async () => {
    api = await startTestApi(kind);
    await api.key('acme');
  });
  afterAll(() => api.close());

  it('a creation that stood still until its lease had ended is not made again after the repeated one', async () => {
    const idempotency = api.container.get(Idempotency);
    const [key] = await api.database.read('SELECT id FROM api_key');
    const id = Number(key?.id);
    const create = (name: string, prepare: () => Promise<unknown>) =>
      idempotency.run(ATTEMPT, prepare, async () => {
        await api.database.write('UPDATE api_key SET name = ? WHERE id = ?', [name, id]);
        return { id, name };
      });

    const first = create('first', async () => {
      api.clock.advance(LEASE_MS + 1);
      expect((await create('repeated', async () => null)).result).toEqual({ id, name: 'repeated' });
    });
    await expect(first).rejects.toMatchObject({ code: 'idempotency_in_progress' });
    expect(await api.database.read('SELECT name FROM api_key WHERE id = ?', [id])).toEqual([{ name: 'repeated' }]);
    expect(await create('third', async () => null)).toEqual({ replayed: true, result: { id, name: 'repeated' } });
  });
});
