import { onEachDatabase, openTestDatabase } from '../testing/database-fixture.js';
import { SqlUnitOfWork } from './sql-unit-of-work.js';

onEachDatabase((kind) => {
  it('sees no Galera node without Galera', async () => {
    const opened = await openTestDatabase(kind);
    await new SqlUnitOfWork(opened.database).run(() => opened.database.read('SELECT name FROM installation'));
    expect(opened.database.nodes.isCluster).toBe(false);
    expect(opened.database.nodes.take()).toEqual([]);
    await opened.close();
  });
});
