import { onEachDatabase, openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { SqlUnitOfWork } from './sql-unit-of-work.js';

onEachDatabase((kind) => {
  it('holds no transaction after it was closed, so that what it reached can be freed', async () => {
    const opened = await openTestDatabase(kind);
    const { database } = opened;
    const session = await database.openSession();
    const transaction = database.transactionOf(session);
    await database.inTransaction(transaction, async () => {
      expect(database.currentTransaction()).toBe(transaction);
      session.release();
      await opened.close();
      expect(database.currentTransaction()).toBeUndefined();
    });
  });

  describe('statements that read together', () => {
    let opened: TestDatabase;
    let unitOfWork: SqlUnitOfWork;

    beforeAll(async () => {
      opened = await openTestDatabase(kind);
      unitOfWork = new SqlUnitOfWork(opened.database);
    });
    afterAll(() => opened.close());
    beforeEach(() => opened.database.write("DELETE FROM installation WHERE name <> 'id'"));

    const set = (name: string) =>
      opened.database.write('INSERT INTO installation (name, value) VALUES (?, ?)', [name, name]);
    const named = (name: string) => ({ sql: 'SELECT value FROM installation WHERE name = ?', parameters: [name] });

    it('return the rows of each, in order, and none for a statement that is not needed', async () => {
      await set('a');
      await set('b');
      const { database } = opened;
      const rows = [[{ value: 'b' }], [], [], [{ value: 'a' }]];
      const read = () => database.readTogether([named('b'), null, named('c'), named('a')]);
      expect(await read()).toEqual(rows);
      expect(await unitOfWork.run(read)).toEqual(rows);
      expect(await database.readTogether([named('a')])).toEqual([[{ value: 'a' }]]);
      expect(await database.readTogether([null])).toEqual([[]]);
    });

    it('see the writes of their own unit of work, and of others what is committed', async () => {
      const inside = unitOfWork.run(async () => {
        await set('a');
        return opened.database.readTogether([named('a')]);
      });
      expect(await inside).toEqual([[{ value: 'a' }]]);
      const failed = unitOfWork.run(async () => {
        await set('b');
        throw new Error('no');
      });
      await expect(failed).rejects.toThrow('no');
      expect(await opened.database.readTogether([named('a'), named('b')])).toEqual([[{ value: 'a' }], []]);
    });

    it('fail together, and leave nothing behind for the next ones', async () => {
      const broken = { sql: 'SELECT value FROM nowhere', parameters: [] };
      await expect(opened.database.readTogether([named('id'), broken, named('id')])).rejects.toThrow('nowhere');
      await expect(opened.database.readTogether([{ sql: 'SELECT 1; SELECT 2', parameters: [] }])).rejects.toThrow(
        'One statement at a time',
      );
      expect(await opened.database.readTogether([named('a')])).toEqual([[]]);
    });

    it('need a unit of work when they lock', async () => {
      await expect(opened.database.together([named('a')])).rejects.toThrow('inside a unit of work');
    });
  });
});
