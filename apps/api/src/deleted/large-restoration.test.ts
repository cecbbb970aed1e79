import { setImmediate } from 'node:timers/promises';
import type { Parameter } from '@mailstead/adapters/database/driver/database';
import { onEachDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { fillDomain } from '../testing/fill-domain.js';

const MAILBOXES = 2_500;

onEachDatabase((kind) => {
  let api: TestApi;
  let acme: string;
  let made = 0;

  beforeAll(async () => {
    api = await startTestApi(kind);
    acme = await api.key('acme');
  });
  afterAll(() => api.close());

  const count = async (table: string, name: string) => {
    const [row] = await api.database.read(
      `SELECT COUNT(*) AS n FROM ${table} WHERE domain_id = (SELECT MAX(domain_id) FROM tombstone WHERE name = ?)`,
      [name],
    );
    return Number(row?.n);
  };

  /** Deletes a domain with many mailboxes; an alias of a second domain delivers to each. */
  async function deletedDomain(): Promise<{ id: number; name: string; elsewhere: string }> {
    made += 1;
    const [name, elsewhere] = [`large-${made}.example`, `elsewhere-${made}.example`];
    for (const each of [name, elsewhere]) await api.as(acme).post('/domains/', { name: each }).expect(201);
    await fillDomain(api.database, name, elsewhere, MAILBOXES);
    await api.as(acme).delete(`/domains/${name}`).expect(204);
    const [deletion] = (await api.as(acme).get(`/deleted?domain=${name}`).expect(200)).body;
    expect(deletion).toMatchObject({ mailboxes: MAILBOXES, aliases: MAILBOXES });
    return { id: deletion.id, name, elsewhere };
  }

  it('comes back in few statements over at most 500 rows, and others read meanwhile only nothing or all of it', async () => {
    const { id, name, elsewhere } = await deletedDomain();
    const [read, write] = [api.database.read.bind(api.database), api.database.write.bind(api.database)];
    const seen: { rows: number; parameters: number }[] = [];
    api.database.read = async <R>(sql: string, given: Parameter[] = []) => {
      const rows = await read<R>(sql, given);
      if (api.database.currentTransaction() !== undefined) seen.push({ rows: rows.length, parameters: given.length });
      return rows;
    };
    api.database.write = async (sql, given = [], keys = null) => {
      const written = await write(sql, given, keys);
      seen.push({ rows: written.affected, parameters: given.length });
      return written;
    };
    const restoration = { isOver: false };
    const restoring = api
      .as(acme)
      .post(`/deleted/${id}/restore`)
      .then((response) => {
        restoration.isOver = true;
        return response;
      });
    const partly = new Set<number>();
    while (!restoration.isOver) {
      const [row] = await read<{ n: unknown }>('SELECT COUNT(*) AS n FROM mailbox WHERE email LIKE ?', [`m%@${name}`]);
      partly.add(Number(row?.n));
      await setImmediate();
    }
    Object.assign(api.database, { read, write });
    expect((await restoring).body).toMatchObject({ mailboxes: MAILBOXES, left_out: [] });
    expect([...partly].filter((n) => n !== 0 && n !== MAILBOXES)).toEqual([]);
    expect(Math.max(...seen.map(({ rows }) => rows))).toBeLessThanOrEqual(500);
    expect(Math.max(...seen.map(({ parameters }) => parameters))).toBeLessThanOrEqual(1_000);
    expect(seen.length).toBeLessThan(40 + 3 * (MAILBOXES / 500) + 12 * (MAILBOXES / 400));
    expect((await api.as(MASTER).get(`/domains/${elsewhere}`)).body.aliases).toBe(MAILBOXES);
  });

  it('that is interrupted anywhere leaves the deletion as it was, and a repeat brings everything back', async () => {
    const { id, name, elsewhere } = await deletedDomain();
    const write = api.database.write.bind(api.database);
    for (const last of [3, 8, 14, 30]) {
      let writes = 0;
      api.database.write = (sql, parameters, keys) => {
        writes += 1;
        return writes > last ? Promise.reject(new Error('killed')) : write(sql, parameters, keys);
      };
      await api.as(acme).post(`/deleted/${id}/restore`).expect(500);
      Object.assign(api.database, { write });
      expect(await count('mailbox', name)).toBe(0);
      expect(await count('deleted_mailbox', name)).toBe(MAILBOXES);
      await api.as(acme).get(`/domains/${name}`).expect(404);
      expect((await api.as(MASTER).get(`/domains/${elsewhere}`)).body.aliases).toBe(0);
    }
    api.log.defects.length = 0;
    const { body } = await api.as(acme).post(`/deleted/${id}/restore`).expect(200);
    expect(body).toMatchObject({ name, mailboxes: MAILBOXES, left_out: [] });
    expect(await count('deleted_mailbox', name)).toBe(0);
  });
});
