import { onEachDatabase, openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { raiseRevisions } from './raise-ids.js';

const WITH_REVISIONS = ['api_key', 'deleted_domain', 'deleted_mailbox', 'domain', 'mailbox', 'partner'];

onEachDatabase((kind) => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await openTestDatabase(kind);
  });
  afterAll(() => test.close());

  it('each revision is raised once, in statements of few rows', async () => {
    const { database } = test;
    const refs = ['a', 'b', 'c', 'd', 'e'];
    for (const [index, ref] of refs.entries()) {
      await database.write(
        'INSERT INTO partner (ref, domain_count, last_created_at, revision, brand_revision) VALUES (?, 0, 0, ?, 1)',
        [ref, index],
      );
    }
    for (const [rowsAtOnce, raised] of [
      [2, 100],
      [5, 200],
      [1, 300],
    ] as const) {
      await raiseRevisions(database, 100, rowsAtOnce);
      const rows = await database.read("SELECT ref, revision, brand_revision FROM partner WHERE ref <> '' ORDER BY id");
      expect(rows).toEqual(refs.map((ref, index) => ({ ref, revision: index + raised, brand_revision: 1 + raised })));
    }
  });

  it('the key by which a table with revisions is divided is a positive number', () => {
    const found = test.database.writer.entityMetadatas.filter(({ columns }) =>
      columns.some(({ databaseName }) => /(^|_)revision$/.test(databaseName)),
    );
    expect(found.map(({ tableName }) => tableName).sort()).toEqual(WITH_REVISIONS);
    for (const { primaryColumns } of found) {
      expect(['id', 'tombstone_id']).toContain(primaryColumns[0]?.databaseName);
    }
  });
});
