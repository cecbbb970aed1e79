import { onEachDatabase, openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { SqlAttentionList } from './attention-list.js';

const NOW = new Date('2026-03-15T12:00:00.000Z');

onEachDatabase((kind) => {
  let opened: TestDatabase;

  beforeAll(async () => {
    opened = await openTestDatabase(kind);
    const { database } = opened;
    await database.write("INSERT INTO partner (id, ref, domain_count, last_created_at) VALUES (2, 'acme', 3, 0)");
    for (const id of [1, 2, 3]) {
      await database.write(
        `INSERT INTO domain (id, name, partner_id, created_at, retention_days, retention_days_before, transfer_monthly_mb, suspension_causes, outbound_status, wildcard_mode, inbound, mailbox_count, alias_count)
         VALUES (?, ?, 2, 0, 0, 0, 0, '', 'active', 'none', 'open', 0, 0)`,
        [id, `d${id}.example`],
      );
    }
    await database.write(
      "INSERT INTO domain_attention (domain_id, reason, partner_id, period) VALUES (1, 'blocked', 2, ''), (1, 'suspended', 2, ''), (2, 'blocked', 2, '')",
    );
  });
  afterAll(() => opened.close());

  it('the reasons that concurrent callers ask for share one statement, and each caller gets those of its own domains', async () => {
    const reads: string[] = [];
    const read = opened.database.read.bind(opened.database);
    Object.assign(opened.database, {
      read: (sql: string, parameters: never[]) => {
        reads.push(sql);
        return read(sql, parameters);
      },
    });
    const list = new SqlAttentionList(opened.database);
    const found = await Promise.all([[1], [2], [3], [2, 1], [1]].map((ids) => list.ofDomains(ids, NOW)));
    Object.assign(opened.database, { read });
    expect(found.map((reasons) => Object.fromEntries(reasons))).toEqual([
      { 1: ['suspended', 'blocked'] },
      { 2: ['blocked'] },
      {},
      { 1: ['suspended', 'blocked'], 2: ['blocked'] },
      { 1: ['suspended', 'blocked'] },
    ]);
    expect(reads).toHaveLength(1);
  });

  it('the reasons that a caller gets are never older than its call', async () => {
    const list = new SqlAttentionList(opened.database);
    const before = list.ofDomains([3], NOW);
    await before;
    const during = list.ofDomains([1], NOW);
    await opened.database.write(
      "INSERT INTO domain_attention (domain_id, reason, partner_id, period) VALUES (3, 'suspended', 2, '')",
    );
    expect((await list.ofDomains([3], NOW)).get(3)).toEqual(['suspended']);
    expect((await before).get(3)).toBeUndefined();
    await during;
  });
});
