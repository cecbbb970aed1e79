import { ApiKey } from '@mailstead/core/api-keys/api-key';
import { SilentMeters } from '@mailstead/core/meters';
import { RepositoryWorld } from '@mailstead/core/testing/repository-world';
import type { Parameter } from '../driver/database.js';
import { onEachDatabase, openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { outboundPorts } from '../testing/outbound-ports.js';
import { TypeormApiKeyRepository } from './api-key-repository.js';
import { LastUsedStamps } from './last-used-stamps.js';

onEachDatabase((kind) => {
  let opened: TestDatabase;
  let world: RepositoryWorld;
  let keys: TypeormApiKeyRepository;

  beforeAll(async () => {
    opened = await openTestDatabase(kind);
    const { database } = opened;
    keys = new TypeormApiKeyRepository(database, new LastUsedStamps(database), new SilentMeters());
    world = new RepositoryWorld({ ...outboundPorts(database), keys });
  });
  afterAll(() => opened.close());

  it('concurrent look-ups of keys share one statement, and those of keys with makers and domains a second one', async () => {
    const partner = await world.partner();
    const domain = await world.domain(partner);
    const chain: ApiKey[] = [];
    for (let made = 0; made < 3; made += 1) {
      const makerId = chain.at(-1)?.id ?? null;
      chain.push(await world.key(partner, { makerId, domainIds: [domain.id], isLimited: true }));
    }
    const statements: string[] = [];
    const read = opened.database.read.bind(opened.database);
    opened.database.read = (sql: string, parameters: Parameter[]) => {
      statements.push(sql);
      return read(sql, parameters);
    };
    const found = await Promise.all(chain.map(({ tokenHash }) => keys.findByHash(tokenHash)));
    Object.assign(opened.database, { read });
    expect(found.map((one) => [one?.keys.length, one?.domainIds])).toEqual(
      [1, 2, 3].map((length) => [length, [domain.id]]),
    );
    expect(statements).toHaveLength(2);
  });

  it('a list of the most domains is read completely, also with long ids', async () => {
    const partner = await world.partner();
    const key = await world.key(partner);
    const base = 9_999_999_000;
    await opened.database.write('UPDATE api_key SET is_limited = 1 WHERE id = ?', [key.id]);
    const ids = Array.from({ length: 90 }, (_, index) => base + index);
    const domain = await world.domain(partner);
    const columns = (await opened.database.read('SELECT * FROM domain WHERE id = ?', [domain.id]))[0] ?? {};
    const names = Object.keys(columns);
    for (const id of ids) {
      const row: Record<string, unknown> = { ...columns, id, name: `d${id}.example` };
      await opened.database.write(
        `INSERT INTO domain (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
        names.map((name) => row[name] as Parameter),
      );
      await opened.database.write('INSERT INTO api_key_domain (key_id, domain_id) VALUES (?, ?)', [key.id, id]);
    }
    if (kind === 'mariadb') {
      // As MySQL has it for every session.
      const list = await opened.database.read(
        'SELECT LENGTH(GROUP_CONCAT(domain_id)) AS length FROM api_key_domain WHERE key_id = ?',
        [key.id],
      );
      expect(Number(list[0]?.length)).toBeLessThanOrEqual(1_024);
    }
    expect((await keys.findByHash(key.tokenHash))?.domainIds).toEqual(ids);
  });
});
