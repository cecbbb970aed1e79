import { onEachDatabase, openTestDatabase } from '../testing/database-fixture.js';

onEachDatabase((kind) => {
  it('holds no transaction after it was closed, so that what it reached can be freed', async () => {
    const opened = await openTestDatabase(kind);
    const { database } = opened;
    const session = await database.openSession();
    const transaction = { session, effects: [], beforeCommit: [] };
    await database.inTransaction(transaction, async () => {
      expect(database.currentTransaction()).toBe(transaction);
      session.release();
      await opened.close();
      expect(database.currentTransaction()).toBeUndefined();
    });
  });
});
