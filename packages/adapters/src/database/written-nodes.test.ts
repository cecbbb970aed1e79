import { onEachDatabase, openTestDatabase } from './testing/database-fixture.js';
import { TypeormUnitOfWork } from './typeorm-unit-of-work.js';

onEachDatabase((kind) => {
  it('sees no Galera node without Galera', async () => {
    const { database, close } = await openTestDatabase(kind);
    await new TypeormUnitOfWork(database).run(() => database.read('SELECT name FROM installation'));
    expect(database.nodes.isCluster).toBe(false);
    expect(database.nodes.take()).toEqual([]);
    await close();
  });
});
