import { MINUTE_MS } from '@mailstead/core/clock';
import type { QueueName } from '@mailstead/core/jobs/jobs';
import { FixedClock } from '@mailstead/core/testing/fixed-clock';
import { chunksOf } from '../driver/chunks.js';
import type { Database } from '../driver/database.js';
import { SqlUnitOfWork } from '../driver/sql-unit-of-work.js';
import { onEachDatabase, openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { SqlJobStore } from './job-store.js';

const FLOODER = 1;
const FLOOD = 10_000;

const sorted = (ids: number[]) => ids.toSorted((left, right) => left - right);

onEachDatabase((kind) => {
  describe('the due verifications of partners', () => {
    let opened: TestDatabase;
    let database: Database;
    let store: SqlJobStore;
    let clock: FixedClock;
    let claims = 0;

    beforeAll(async () => {
      opened = await openTestDatabase(kind);
      database = opened.database;
    });
    afterAll(() => opened.close());
    beforeEach(async () => {
      clock = new FixedClock();
      store = new SqlJobStore(database, new SqlUnitOfWork(database));
      await database.write('DELETE FROM job');
    });

    const add = async (partners: number[], name = 'domain.verify') => {
      for (const chunk of chunksOf(partners)) {
        await database.write(
          `INSERT INTO job (name, payload, state, run_at, attempts, created_at, partner_id) VALUES ${chunk
            .map(
              (partner) =>
                `('${name}', '{"domainId":${partner}}', 'waiting', ${clock.now().getTime() - 1}, 0, 0, ${partner})`,
            )
            .join(', ')}`,
        );
      }
    };
    const claim = async (limit: number, queue: QueueName = 'verification'): Promise<number[]> => {
      claims += 1;
      const jobs = await store.claim(queue, limit, `claim ${claims}`, clock.now(), MINUTE_MS);
      return jobs.map(({ payload }) => (payload as { domainId: number }).domainId);
    };

    it('of one with 10,000 do not delay the only one of another by more than one of each partner', async () => {
      await add(Array.from({ length: FLOOD }, () => FLOODER));
      expect(await claim(1)).toEqual([FLOODER]);
      expect(await claim(4)).toEqual([FLOODER, FLOODER, FLOODER, FLOODER]);
      await add([2, 3]);
      expect(sorted(await claim(4))).toEqual([FLOODER, FLOODER, 2, 3]);
      await add([2]);
      const single = [...(await claim(1)), ...(await claim(1))];
      expect(sorted(single)).toEqual([FLOODER, 2]);
    });

    it('are claimed in rounds: one of each partner, then the next one of each', async () => {
      const partners = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
      for (const partner of partners) await add(Array.from({ length: 20 }, () => partner));
      for (let round = 0; round < 20; round += 1) {
        const claimed: number[] = [];
        while (claimed.length < partners.length) claimed.push(...(await claim(1)));
        expect(sorted(claimed)).toEqual(partners);
      }
      expect(await claim(4)).toEqual([]);
    });

    it('are claimed in rounds of each queue, which no other queue takes part in', async () => {
      for (const name of ['domain.verify', 'mail-sessions.end']) await add([1, 1, 2, 2], name);
      expect(await claim(1)).toEqual([1]);
      expect(await claim(1, 'mail-sessions')).toEqual([1]);
      expect(await claim(1)).toEqual([2]);
      expect(await claim(1, 'mail-sessions')).toEqual([2]);
    });

    it('are all claimed, whatever the number of partners', async () => {
      await add(Array.from({ length: 1_200 }, (_, index) => index % 600));
      let claimed = 0;
      for (let jobs = await claim(20); jobs.length > 0; jobs = await claim(20)) claimed += jobs.length;
      expect(claimed).toBe(1_200);
    });

    it('wait no longer for deletions of identities of another partner', async () => {
      await add(
        Array.from({ length: 100 }, () => FLOODER),
        'identity.delete',
      );
      await claim(4);
      await add([2]);
      expect(await claim(1)).toEqual([2]);
    });

    it('belong to the partner of their domain, also when that changes before they are due', async () => {
      await database.write(
        "INSERT INTO partner (ref, domain_count, last_created_at) VALUES ('acme', 0, 0), ('other', 0, 0)",
      );
      const idOf = async (ref: string) =>
        Number((await database.read('SELECT id FROM partner WHERE ref = ?', [ref]))[0]?.id);
      const acme = await idOf('acme');
      await database.write(
        `INSERT INTO domain (name, partner_id, created_at, retention_days, retention_days_before, transfer_monthly_mb, suspension_causes, outbound_status, wildcard_mode, inbound, mailbox_count, alias_count)
         VALUES ('turn.example', ?, 0, 0, 0, 0, '', 'active', 'none', 'open', 0, 0)`,
        [acme],
        [],
      );
      const [domain] = await database.read("SELECT id FROM domain WHERE name = 'turn.example'");
      const domainId = Number(domain?.id);
      const partnerOfJob = async () => {
        await store.add('domain.verify', { domainId }, { key: 'k' }, clock.now());
        return Number((await database.read('SELECT partner_id FROM job'))[0]?.partner_id);
      };
      expect(await partnerOfJob()).toBe(acme);
      const other = await idOf('other');
      await database.write('UPDATE domain SET partner_id = ? WHERE id = ?', [other, domainId]);
      expect(await partnerOfJob()).toBe(other);
    });

    it('are found by the index of due jobs, in its order', async () => {
      await add(Array.from({ length: FLOOD }, (_, index) => index % 3));
      if (kind === 'mariadb') await database.write('ANALYZE TABLE job');
      await claim(4);
      const read = database.read.bind(database);
      const statements: [string, (string | number)[]][] = [];
      const spying = Object.assign(Object.create(database) as Database, {
        read: (sql: string, parameters: (string | number)[]) => {
          statements.push([sql, parameters]);
          return read(sql, parameters);
        },
      });
      const spied = new SqlJobStore(spying, new SqlUnitOfWork(database));
      for (let turn = 0; turn < 3; turn += 1)
        await spied.claim('verification', 1, `spied ${turn}`, clock.now(), MINUTE_MS);
      const inTurn = statements.filter(([sql]) => sql.includes('NOT IN'));
      expect(inTurn.length).toBeGreaterThan(0);
      for (const [sql, parameters] of inTurn) {
        const plan = await read(`EXPLAIN ${kind === 'sqlite' ? 'QUERY PLAN ' : ''}${sql}`, parameters);
        const text = JSON.stringify(plan);
        expect(text).toContain('ix_job_turn');
        expect(text).not.toMatch(/filesort|TEMP B-TREE/);
        if (kind === 'mariadb') expect(text).toContain('Using index condition');
      }
    });
  });
});
