import { MINUTE_MS, SECOND_MS } from '@mailstead/core/clock';
import { FixedClock } from '@mailstead/core/testing/fixed-clock';
import { onEachDatabase, openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { SqlHeartbeats } from './heartbeats.js';

onEachDatabase((kind) => {
  let opened: TestDatabase;
  let heartbeats: SqlHeartbeats;
  const clock = new FixedClock();
  const after = (ms: number) => new Date(clock.now().getTime() + ms);

  beforeAll(async () => {
    opened = await openTestDatabase(kind);
    heartbeats = new SqlHeartbeats(opened.database);
  });
  afterAll(() => opened.close());
  beforeEach(() => opened.database.write('DELETE FROM process_heartbeat'));

  /** As release 5.1 writes it. */
  const beatOfFormer = (at: Date) =>
    opened.database.write(
      "INSERT INTO process_heartbeat (process_id, kind, process, seen_at, has_ended) VALUES ('f', 'api', 'api', ?, 0)",
      [at.getTime()],
    );

  describe('a process of the former release', () => {
    it('is none of this release', async () => {
      await heartbeats.beat({ id: 'own', kind: 'worker', label: 'worker' }, clock.now());
      expect(await heartbeats.includesFormer(clock.now())).toBe(false);
    });

    it('runs for two minutes after its last heartbeat', async () => {
      await beatOfFormer(clock.now());
      await heartbeats.beat({ id: 'own', kind: 'worker', label: 'worker' }, clock.now());
      expect(await heartbeats.includesFormer(clock.now())).toBe(true);
      expect(await heartbeats.includesFormer(after(2 * MINUTE_MS))).toBe(true);
      expect(await heartbeats.includesFormer(after(2 * MINUTE_MS + 1))).toBe(false);
    });

    it('does not run once it has ended, nor with a heartbeat from a clock that was set back', async () => {
      await beatOfFormer(clock.now());
      await heartbeats.end('f', clock.now());
      expect(await heartbeats.includesFormer(clock.now())).toBe(false);
      await opened.database.write('DELETE FROM process_heartbeat');
      await beatOfFormer(after(MINUTE_MS + SECOND_MS));
      expect(await heartbeats.includesFormer(clock.now())).toBe(false);
    });
  });
});
