import { setImmediate as nextTurn } from 'node:timers/promises';
import { scaleDeadlines } from '@mailstead/core/deadlines';
import { until } from '@mailstead/core/testing/until';
import { untilAvailable } from '@mailstead/core/testing/until-available';
import { openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { openAgain } from '../testing/open-again.js';
import type { Database } from './database.js';
import { ReadShares } from './read-shares.js';

const LONG_MS = 600_000;
/** Of the pool of `openTestDatabase`. */
const MOST_OF_A_PARTNER = 5;

const reader = (partnerId: number | null, isGone = () => false) => ({ partnerId, isGone });

describe('reads on MariaDB', () => {
  let opened: TestDatabase;
  /** Its reads end after a second, so that the server works on the endless ones for a second only. */
  let hasty: Database;
  beforeAll(async () => {
    scaleDeadlines(1);
    opened = await openTestDatabase('mariadb');
    scaleDeadlines(0.3);
    hasty = await untilAvailable(() => openAgain(opened));
    scaleDeadlines(1);
  });
  afterAll(async () => {
    await hasty.close();
    await opened.close();
  });

  /** In a session, which has no time limit: the server may be busy with the statements of a test. */
  const running = async (mark: string) => {
    const session = await opened.database.openSession();
    try {
      const [row] = (await session.read(
        `SELECT COUNT(*) AS running FROM information_schema.processlist WHERE info LIKE '%${mark}%' AND info NOT LIKE '%processlist%'`,
        [],
      )) as { running: unknown }[];
      return Number(row?.running);
    } finally {
      session.release();
    }
  };
  /** Takes far longer than the limit of a read. */
  const endless = (mark: string) =>
    `SELECT COUNT(*) AS ${mark} FROM seq_1_to_1000000 a CROSS JOIN seq_1_to_1000000 b WHERE a.seq % 7 = b.seq % 5`;
  const unavailable = { code: 'database_unavailable' };
  /** How many statements the server has ended because of their limit, for every test that it serves. */
  const endedByServer = async () => {
    const [row] = (await opened.database.read("SHOW GLOBAL STATUS LIKE 'Max_statement_time_exceeded'")) as {
      Value: string;
    }[];
    return Number(row?.Value);
  };
  /** A busy server ends a statement later than the client gives its answer up. */
  const endsOnServer = (mark: string) => until(`the end of ${mark}`, async () => (await running(mark)) === 0);

  /** On a busy machine the time of a read may be over before it has a connection: then it is sent again. */
  const expectEnded = (mark: string, read: () => Promise<unknown>) =>
    until(`a statement ${mark} that the server has ended`, async () => {
      const before = await endedByServer();
      await expect(read()).rejects.toMatchObject(unavailable);
      await endsOnServer(mark);
      return (await endedByServer()) > before;
    });

  it('leave no statement on the server when the answer is given up', async () => {
    await expectEnded('given_up', () => hasty.read(endless('given_up')));
  });

  it('end on the server too when several were sent as one text', async () => {
    const statements = [1, 2].map(() => ({ sql: endless('of_one_text'), parameters: [] }));
    await expectEnded('of_one_text', () => hasty.readTogether(statements));
  });

  it('of one partner hold a quarter of the connections at most, and another is answered meanwhile', async () => {
    const { database } = opened;
    const held = Array.from({ length: 60 }, () =>
      database.readFor(reader(7), () => database.read('SELECT SLEEP(2) AS of_one_partner')),
    );
    const ended = Promise.allSettled(held);
    // The others answer while the share is full, whatever the number of those that wait.
    for (let round = 0; round < 5; round += 1) {
      const [row] = await untilAvailable(() =>
        database.readFor(reader(8), () =>
          database.read(
            "SELECT COUNT(*) AS running FROM information_schema.processlist WHERE info LIKE '%of_one_partner%' AND info NOT LIKE '%processlist%'",
          ),
        ),
      );
      expect(Number(row?.running)).toBeLessThanOrEqual(MOST_OF_A_PARTNER);
    }
    const outcomes = await ended;
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    for (const { reason } of refused) expect(['busy', 'database_unavailable']).toContain(reason.code);
  });

  it('are not begun when their caller has gone', async () => {
    const { database } = opened;
    const gone = database.readFor(
      reader(7, () => true),
      () => database.read(endless('never_begun')),
    );
    await expect(gone).rejects.toMatchObject({ code: 'request_cancelled' });
    expect(await running('never_begun')).toBe(0);
  });

  it('of a unit of work have no limit of their own, so that a change is not cut off', async () => {
    const session = await opened.database.openSession();
    await session.begin();
    const rows = (await session.read('SELECT @@max_statement_time AS most', [])) as { most: number }[];
    await session.rollback();
    session.release();
    expect(rows[0]?.most).toBe(0);
  });
});

describe('the share of a partner', () => {
  /** Work that ends when it is told to. */
  function work() {
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    return { run: () => ended, end: () => end() };
  }

  it('goes to those that wait in the order of their calls, and not to those that have gone', async () => {
    const shares = new ReadShares(1, 10);
    const first = work();
    const order: string[] = [];
    const note = (name: string) => async () => void order.push(name);
    const holds = shares.run(reader(1), LONG_MS, first.run);
    const gone = shares.run(
      reader(1, () => true),
      LONG_MS,
      note('gone'),
    );
    const second = shares.run(reader(1), LONG_MS, note('second'));
    const other = shares.run(reader(2), LONG_MS, note('of another partner'));
    const service = shares.run(reader(null), LONG_MS, note('of the service'));
    await Promise.all([other, service]);
    expect(order).toEqual(['of another partner', 'of the service']);
    first.end();
    await expect(gone).rejects.toMatchObject({ code: 'request_cancelled' });
    await Promise.all([holds, second]);
    expect(order.at(-1)).toBe('second');
  });

  it('refuses as busy who waits too long, and who finds too many waiting', async () => {
    const shares = new ReadShares(1, 1);
    const first = work();
    const holds = shares.run(reader(1), LONG_MS, first.run);
    const waits = shares.run(reader(1), 1, async () => 'never');
    await expect(shares.run(reader(1), LONG_MS, async () => 'never')).rejects.toMatchObject({
      code: 'busy',
      retryAfterS: 1,
    });
    await expect(waits).rejects.toMatchObject({ code: 'busy' });
    first.end();
    await holds;
    expect(await shares.run(reader(1), LONG_MS, async () => 'again')).toBe('again');
  });

  it('is free again after a failure', async () => {
    const shares = new ReadShares(1, 1);
    const failing = async () => {
      await nextTurn();
      throw new Error('no database');
    };
    await expect(shares.run(reader(1), LONG_MS, failing)).rejects.toThrow('no database');
    expect(await shares.run(reader(1), LONG_MS, async () => 'again')).toBe('again');
  });
});
