import { aboutInstallation } from '@mailstead/core/audit/about-partner';
import { DAY_MS } from '@mailstead/core/clock';
import { systemActor } from '@mailstead/core/operators/actor';
import { FixedClock } from '@mailstead/core/testing/fixed-clock';
import { SqlAuditLog } from '../audit/audit-log.js';
import type { Database } from '../driver/database.js';
import { SqlUnitOfWork } from '../driver/sql-unit-of-work.js';
import { onEachDatabase, openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { openAgain } from '../testing/open-again.js';
import { SqlEventFeed } from './event-feed.js';
import { SqlEventPositions } from './event-positions.js';

const ACTOR = systemActor('tests');

/** The events' part of one process. */
class Replica {
  readonly unitOfWork: SqlUnitOfWork;
  readonly audit: SqlAuditLog;
  readonly positions: SqlEventPositions;
  readonly feed: SqlEventFeed;

  constructor(
    readonly database: Database,
    private readonly clock: FixedClock,
  ) {
    this.unitOfWork = new SqlUnitOfWork(database);
    this.audit = new SqlAuditLog(database);
    this.positions = new SqlEventPositions(database, this.unitOfWork);
    this.feed = new SqlEventFeed(database, this.unitOfWork);
  }

  /** A missed job is an event only, a reset of the purge's brake a change that is no event. */
  append(subject: string, action: 'job.missed' | 'domain.delete' | 'purge.release_brake' = 'domain.delete') {
    return this.audit.append(ACTOR, this.clock.now(), aboutInstallation(action, { subject }));
  }

  async subjects(after = 0): Promise<string[]> {
    return (await this.events(after)).map(({ subject }) => subject);
  }

  async events(after = 0) {
    return (await this.feed.search({ scope: 'all' })({ after, limit: 1_000 })).rows;
  }
}

onEachDatabase((kind) => {
  let opened: TestDatabase;
  let second: Database;
  let clock: FixedClock;
  let one: Replica;
  let two: Replica;

  beforeAll(async () => {
    opened = await openTestDatabase(kind);
    second = await openAgain(opened);
  });
  beforeEach(async () => {
    clock = new FixedClock();
    one = new Replica(opened.database, clock);
    two = new Replica(second, clock);
    await opened.database.write('DELETE FROM audit_log');
    await opened.database.write('UPDATE event_position SET last_position = 0, first_kept = 1, before_audit_id = 0');
  });
  afterAll(async () => {
    if (second !== opened.database) await second.close();
    await opened.close();
  });

  it('are given once, without gaps, however many processes give them at the same time', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `event-${index}`);
    const writers = names.map((name, index) => (index % 2 === 0 ? one : two).append(name));
    const givers = Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? one : two).positions.give(7));
    await Promise.all([...writers, ...givers]);
    while ((await one.positions.give(7)) > 0);
    const events = await one.events();
    expect(events.map(({ id }) => id)).toEqual(names.map((_, index) => index + 1));
    expect(events.map(({ subject }) => subject).sort()).toEqual([...names].sort());
    expect(await one.feed.bounds()).toEqual({ first: 1, last: names.length });
    expect(await two.positions.give(7)).toBe(0);
  });

  it('are not given before the commit, and never after a rollback', async () => {
    const rolledBack = one.unitOfWork.run(async () => {
      await one.append('never');
      throw new Error('no');
    });
    await expect(rolledBack).rejects.toThrow('no');
    await one.append('committed');
    await one.positions.give(10);
    expect(await one.subjects()).toEqual(['committed']);
  });

  it('are all given or none when the process ends in between', async () => {
    await one.append('first');
    await one.append('second');
    const finish = opened.database.finish.bind(opened.database);
    Object.assign(opened.database, {
      finish: async ([rows]: Parameters<typeof finish>[0]) => {
        await opened.database.together([rows ?? null]);
        throw new Error('killed');
      },
    });
    await expect(one.positions.give(10)).rejects.toThrow('killed');
    Object.assign(opened.database, { finish });
    expect([await one.subjects(), (await one.feed.bounds()).last]).toEqual([[], 0]);
    expect(await two.positions.give(10)).toBe(2);
    expect(await two.subjects()).toEqual(['first', 'second']);
  });

  it('follow the commits, not the clock', async () => {
    await one.append('noon');
    await one.positions.give(10);
    clock.advance(-3 * DAY_MS);
    await two.append('three days before');
    expect(await one.positions.oldestWithout()).toEqual(clock.now());
    await two.positions.give(10);
    expect(await one.positions.oldestWithout()).toBeNull();
    expect(await one.subjects()).toEqual(['noon', 'three days before']);
    expect(await one.subjects(1)).toEqual(['three days before']);
  });

  it('are not given to rows from before the upgrade, and what is no event is not in the feed', async () => {
    await one.append('old');
    const [row] = await opened.database.read('SELECT MAX(id) AS last FROM audit_log');
    await opened.database.write('UPDATE event_position SET before_audit_id = ?', [Number(row?.last)]);
    await one.append('brake', 'purge.release_brake');
    await one.append('new');
    await one.positions.give(10);
    expect(await one.subjects()).toEqual(['new']);
    expect((await one.audit.search({})({ after: 0, limit: 10 })).rows.map(({ subject }) => subject)).toEqual([
      'old',
      'brake',
      'new',
    ]);
  });

  describe('at the end of their time', () => {
    it('leave the feed in order: what is no change is deleted, changes stay in the audit log', async () => {
      await one.append('missed', 'job.missed');
      await one.append('change');
      clock.advance(DAY_MS);
      await one.append('missed later', 'job.missed');
      await one.positions.give(10);
      expect(await one.feed.dropOld(clock.now(), 1)).toBe(1);
      expect(await one.feed.dropOld(clock.now(), 10)).toBe(1);
      expect(await one.feed.dropOld(clock.now(), 10)).toBe(0);
      expect(await one.subjects()).toEqual(['missed later']);
      expect(await one.feed.bounds()).toEqual({ first: 3, last: 3 });
      expect(await rows()).toEqual(['change', 'missed later']);
      expect((await one.audit.search({})({ after: 0, limit: 10 })).rows.map(({ subject }) => subject)).toEqual([
        'change',
      ]);
    });

    it('stay while an older event of a later position would leave a gap, also in the audit log', async () => {
      await one.append('today');
      clock.advance(-500 * DAY_MS);
      await one.append('with a wrong clock');
      await one.positions.give(10);
      await one.append('without a position');
      clock.advance(499 * DAY_MS);
      expect(await one.feed.dropOld(clock.now(), 10)).toBe(0);
      expect(await one.audit.deleteOld(clock.now(), 10)).toBe(0);
      expect(await rows()).toEqual(['today', 'with a wrong clock', 'without a position']);
      clock.advance(2 * DAY_MS);
      expect(await one.feed.dropOld(clock.now(), 10)).toBe(2);
      expect(await one.audit.deleteOld(clock.now(), 10)).toBe(2);
      expect(await rows()).toEqual(['without a position']);
    });
  });

  const rows = async () =>
    (await opened.database.read('SELECT subject FROM audit_log ORDER BY id')).map(({ subject }) => subject);
});

describe('a transaction that appended first and commits last, on two replicas', () => {
  let opened: TestDatabase;
  let second: Database;

  beforeAll(async () => {
    opened = await openTestDatabase('mariadb');
    second = await openAgain(opened);
  });
  afterAll(async () => {
    await second.close();
    await opened.close();
  });

  it('gets the later position, and holds up nobody', async () => {
    const clock = new FixedClock();
    const one = new Replica(opened.database, clock);
    const two = new Replica(second, clock);
    let commit: () => void = () => undefined;
    let isAppended: () => void = () => undefined;
    const appended = new Promise<void>((resolve) => {
      isAppended = resolve;
    });
    const late = one.unitOfWork.run(async () => {
      await one.append('late');
      isAppended();
      await new Promise<void>((resolve) => {
        commit = resolve;
      });
    });
    await appended;
    await two.append('early');
    expect(await two.positions.give(10)).toBe(1);
    const read = await one.events();
    expect(read.map(({ subject }) => subject)).toEqual(['early']);
    await two.append('next');
    expect(await one.positions.give(10)).toBe(1);
    commit();
    await late;
    expect(await two.positions.give(10)).toBe(1);
    expect(await one.subjects(read.at(-1)?.id)).toEqual(['next', 'late']);
    const ids = await opened.database.read('SELECT subject FROM audit_log ORDER BY id');
    expect(ids.map(({ subject }) => subject)).toEqual(['late', 'early', 'next']);
  });
});
