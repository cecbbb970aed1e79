import { Writable } from 'node:stream';
import { FixedClock } from '@mailstead/core/testing/fixed-clock';
import { until } from '@mailstead/core/testing/until';
import { createLogger } from '../../logger.js';
import type { Database } from '../driver/database.js';
import { SqlUnitOfWork } from '../driver/sql-unit-of-work.js';
import { DerivedCheck } from '../health/derived-check.js';
import { readInstallation, storeInstallation } from '../installation/installation.js';
import { InstallationLease } from '../installation/installation-lease.js';
import { onEachDatabase, openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { waitingForLock } from '../testing/lock-waits.js';
import { openAgain } from '../testing/open-again.js';
import { fillSparseDomains, ID_GAP, makeWrong, wrongRowsOf } from '../testing/sparse-domains.js';
import { COMPARED, COMPARISON_LEASE, COMPARISON_LEASE_MS, DerivedComparison, POSITION } from './derived-comparison.js';

/** Three slices. */
const DOMAINS = 1_200;
const [OF_FIRST_SLICE, OF_SECOND_SLICE, OF_THIRD_SLICE] = [10 * ID_GAP, 700 * ID_GAP, 1_100 * ID_GAP];

/** One start of a process on this database. */
class Start {
  readonly check = new DerivedCheck();
  readonly corrected: number[] = [];
  log = '';
  readonly comparison: DerivedComparison;

  constructor(database: Database, clock: FixedClock) {
    const output = new Writable({
      write: (line: Buffer, _encoding, done) => {
        this.log += line.toString();
        done();
      },
    });
    const note = (_table: string, ids: readonly number[]) => void this.corrected.push(...ids);
    this.comparison = new DerivedComparison(database, clock, this.check, note, createLogger('info', output));
  }

  async run(): Promise<void> {
    await this.comparison.open();
    this.comparison.start();
  }

  ended(): Promise<void> {
    return until('the end of the comparison', () => this.hasEnded);
  }

  /** Until it has tried while another process compares. */
  async waits(): Promise<void> {
    expect(await this.check.problem()).toContain('compared');
    await until('the try', () => this.hasEnded || this.log.includes('another process compares'));
    expect(this.hasEnded).toBe(false);
    expect(this.corrected).toEqual([]);
  }

  private get hasEnded(): boolean {
    return this.log.includes('"the derived rows are compared"');
  }
}

onEachDatabase((kind) => {
  describe('a start', () => {
    let opened: TestDatabase;
    let database: Database;
    const clock = new FixedClock();
    const starts: Start[] = [];
    const leases: InstallationLease[] = [];

    beforeAll(async () => {
      opened = await openTestDatabase(kind);
      ({ database } = opened);
    });
    afterEach(async () => {
      for (const { comparison } of starts.splice(0)) await comparison.stop();
      for (const lease of leases.splice(0)) await lease.release();
    });
    afterAll(() => opened.close());

    function start(on = database): Start {
      const one = new Start(on, clock);
      starts.push(one);
      return one;
    }
    const compared = () => readInstallation(database, COMPARED);
    async function anotherCompares(): Promise<InstallationLease> {
      const lease = new InstallationLease(database, clock, COMPARISON_LEASE, COMPARISON_LEASE_MS);
      leases.push(lease);
      expect(await lease.hold()).toBe(true);
      return lease;
    }

    it('of an installation without domains is ready at once', async () => {
      const first = start();
      await first.run();
      expect(await first.check.problem()).toBeNull();
      expect(await compared()).toMatch(/^[\da-f]{64}$/);
    });

    if (kind === 'sqlite') return;

    describe('with domains', () => {
      let hash: string;
      beforeAll(async () => {
        hash = (await compared()) ?? '';
        await fillSparseDomains(database, DOMAINS);
      });
      const forgetDeclarations = () => storeInstallation(database, COMPARED, 'of another release');

      it('after a changed declaration is ready when every row is right, and its hash is stored then', async () => {
        await forgetDeclarations();
        const first = start();
        await first.comparison.open();
        expect(await first.check.problem()).toContain('compared');
        expect(await wrongRowsOf(database)).toHaveLength(DOMAINS);
        let atTheEnd: Promise<unknown> = Promise.resolve();
        first.check.onEnded(() => {
          atTheEnd = Promise.all([wrongRowsOf(database), compared()]);
        });
        first.comparison.start();
        await until('readiness', async () => (await first.check.problem()) === null);
        expect(await atTheEnd).toEqual([[], hash]);
        expect(first.corrected).toHaveLength(DOMAINS);
        expect(await readInstallation(database, POSITION)).toBeNull();
      });

      it('with the same declarations is ready at once, and corrects afterwards', async () => {
        for (const id of [OF_FIRST_SLICE, OF_THIRD_SLICE]) await makeWrong(database, id);
        const next = start();
        await next.comparison.open();
        expect(await next.check.problem()).toBeNull();
        next.comparison.start();
        await next.ended();
        expect(next.corrected).toEqual([OF_FIRST_SLICE, OF_THIRD_SLICE]);
        expect(await wrongRowsOf(database)).toEqual([]);
      });

      it('reads two statements for 500 domains, whatever gaps their ids have', async () => {
        const own = start();
        await own.comparison.open();
        const read = database.read.bind(database);
        let statements = 0;
        Object.assign(database, {
          read: (sql: string, parameters: never[]) => {
            if (/\bFROM \(?(SELECT id FROM )?domain\b|\bFROM mta_domain\b/.test(sql)) statements += 1;
            return read(sql, parameters);
          },
        });
        own.comparison.start();
        await own.ended().finally(() => Object.assign(database, { read }));
        expect(statements).toBe(6);
      });

      it('goes on where another process was stopped, which ended its slice', async () => {
        await forgetDeclarations();
        for (const id of [OF_SECOND_SLICE, OF_THIRD_SLICE]) await makeWrong(database, id);
        const stopped = start();
        const other = await openAgain(opened);
        await new SqlUnitOfWork(other).run(async () => {
          await other.read('SELECT id FROM domain WHERE id = ? FOR UPDATE', [OF_SECOND_SLICE]);
          await stopped.run();
          // Its position alone is stored before the second slice begins.
          await waitingForLock(database, 'domain');
          expect(await readInstallation(database, POSITION)).not.toBeNull();
          void stopped.comparison.stop();
        });
        await stopped.comparison.stop();
        await other.close();
        expect(await wrongRowsOf(database)).toEqual([OF_THIRD_SLICE]);
        expect(await stopped.check.problem()).not.toBeNull();
        expect(await compared()).toBeNull();
        await makeWrong(database, OF_FIRST_SLICE);
        const next = start();
        await next.run();
        await next.ended();
        expect(next.corrected).toEqual([OF_THIRD_SLICE]);
        expect(await compared()).toBe(hash);
        const whole = start();
        await whole.run();
        await whole.ended();
        expect(whole.corrected).toEqual([OF_FIRST_SLICE]);
      });

      it('that is not ready leaves no row compared for a release with other declarations, also when it is killed', async () => {
        await forgetDeclarations();
        await makeWrong(database, OF_FIRST_SLICE);
        await anotherCompares();
        const waiting = start();
        await waiting.run();
        await waiting.waits();
        // Requests to its open port write rows of its declarations too, while it waits.
        expect(await compared()).toBeNull();
      });

      it('does not forget what a process with the same declarations has compared meanwhile', async () => {
        await forgetDeclarations();
        const first = start();
        await first.comparison.open();
        const second = start();
        await second.run();
        await second.ended();
        first.comparison.start();
        await first.ended();
        expect(await compared()).toBe(hash);
        const third = start();
        await third.comparison.open();
        expect(await third.check.problem()).toBeNull();
      });

      it('waits for a process that compares, and takes over when that one was killed', async () => {
        await forgetDeclarations();
        await makeWrong(database, OF_FIRST_SLICE);
        await anotherCompares();
        const next = start();
        await next.run();
        await next.waits();
        clock.advance(COMPARISON_LEASE_MS);
        await next.ended();
        expect(next.corrected).toEqual([OF_FIRST_SLICE]);
        expect(await next.check.problem()).toBeNull();
      });

      it('is ready when another process has compared, also while a third one compares', async () => {
        await forgetDeclarations();
        const third = await anotherCompares();
        const waiting = start();
        await waiting.run();
        await waiting.waits();
        await storeInstallation(database, COMPARED, hash);
        await until('readiness', async () => (await waiting.check.problem()) === null);
        await third.release();
        await waiting.ended();
      });

      it('goes on by itself when the database answers again', async () => {
        await forgetDeclarations();
        await makeWrong(database, OF_SECOND_SLICE);
        const next = start();
        await next.comparison.open();
        await database.writer.query('RENAME TABLE mta_domain TO mta_domain_away');
        next.comparison.start();
        await until('the trouble', () => next.log.includes('cannot be compared now')).finally(() =>
          database.writer.query('RENAME TABLE mta_domain_away TO mta_domain'),
        );
        expect(await next.check.problem()).not.toBeNull();
        await next.ended();
        expect(next.corrected).toEqual([OF_SECOND_SLICE]);
      });
    });
  });
});
