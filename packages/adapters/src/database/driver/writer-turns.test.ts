import { setImmediate as nextTurn } from 'node:timers/promises';
import { TypeormRelayEventInbox } from '../relay-events/relay-event-inbox.js';
import { onEachDatabase, openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { SqlUnitOfWork } from './sql-unit-of-work.js';

onEachDatabase((kind) => {
  describe('a loop of writes', () => {
    let opened: TestDatabase;
    let turns: number;
    let loop: { watched: boolean };
    let watch: Promise<void>;

    beforeAll(async () => {
      opened = await openTestDatabase(kind);
    });
    afterAll(() => opened.close());

    beforeEach(() => {
      turns = 0;
      loop = { watched: true };
      watch = (async () => {
        while (loop.watched) {
          await nextTurn();
          turns += 1;
        }
      })();
    });
    afterEach(async () => {
      loop.watched = false;
      await watch;
    });

    /** @returns the number of turns of the event loop between each two steps */
    async function turnsBetween(step: () => Promise<unknown>): Promise<number[]> {
      const between: number[] = [];
      for (let index = 0; index < 10; index += 1) {
        const before = turns;
        await step();
        between.push(turns - before);
      }
      return between;
    }

    it('of single writes lets other work run in between', async () => {
      const { database } = opened;
      const between = await turnsBetween(() =>
        database.write("UPDATE installation SET value = value WHERE name = 'id'"),
      );
      expect(Math.min(...between)).toBeGreaterThan(0);
    });

    it('of units of work lets other work run in between', async () => {
      const unitOfWork = new SqlUnitOfWork(opened.database);
      const between = await turnsBetween(() => unitOfWork.run(() => opened.database.read('SELECT 1 AS one')));
      expect(Math.min(...between)).toBeGreaterThan(0);
    });

    it('within one unit of work lets other work run in between', async () => {
      const { database } = opened;
      const before = turns;
      await new SqlUnitOfWork(database).run(async () => {
        for (let index = 0; index < 1_000; index += 1) {
          await database.write("UPDATE installation SET value = value WHERE name = 'id'");
        }
      });
      // At least once for each hundred statements.
      expect(turns - before).toBeGreaterThanOrEqual(10);
    });

    it('of a purge lets other work run between its chunks', async () => {
      const inbox = new TypeormRelayEventInbox(opened.database);
      const between = await turnsBetween(() => inbox.deleteOld(new Date(0), 100));
      expect(Math.min(...between)).toBeGreaterThan(0);
    });
  });
});
