import { type Database } from '@mailstead/adapters/database/driver/database';
import { openDatabase } from '@mailstead/adapters/database/driver/open-database';
import { migrate } from '@mailstead/adapters/database/migrations/migrate';
import {
  makeTestLocation,
  onEachDatabase,
  type TestLocation,
} from '@mailstead/adapters/database/testing/database-fixture';
import { ChildService } from '../testing/child-service.js';

const NAME = 'large.example';
const MAILBOXES = 5_000;
const TABLES = [
  'domain',
  'mailbox',
  'alias',
  'domain_deletion',
  'tombstone',
  'deleted_domain',
  'deleted_mailbox',
  'deleted_alias',
];

onEachDatabase((kind) => {
  let location: TestLocation;
  const started: ChildService[] = [];

  beforeAll(async () => {
    location = await makeTestLocation(kind);
    await withDatabase(fill);
  });
  afterAll(async () => {
    for (const service of started) await service.end('SIGKILL');
    await location.remove();
  });

  async function start(): Promise<ChildService> {
    const { url, dataDir } = location;
    const service = await ChildService.start({ DATA_DIR: dataDir, ...(url === null ? {} : { DATABASE_URL: url }) });
    started.push(service);
    return service;
  }

  /** Reads the database, on SQLite beside a process that has it. */
  async function withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
    const database = await openDatabase({ url: location.url, dataDir: location.dataDir, poolSize: 2 });
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  }

  async function fill(database: Database): Promise<void> {
    await migrate(database);
    await database.write(
      `INSERT INTO domain (id, name, partner_id, created_at, retention_days, retention_days_before, transfer_monthly_mb, suspension_causes, outbound_status, wildcard_mode, inbound, mailbox_count, alias_count)
       VALUES (1, '${NAME}', 1, 0, 0, 0, 0, '', 'active', 'none', 'open', ${MAILBOXES}, ${MAILBOXES})`,
      [],
      [],
    );
    await database.write('UPDATE partner SET domain_count = 1 WHERE id = 1');
    await database.write(
      "INSERT INTO verification (domain_id, status, dkim_status, check_attempt, ownership_token, ownership_required) VALUES (1, 'verified', '', 0, 't', 0)",
      [],
      [],
    );
    for (let start = 1; start <= MAILBOXES; start += 1_000) {
      const ids = Array.from({ length: 1_000 }, (_, index) => start + index);
      await database.write(
        `INSERT INTO mailbox (id, domain_id, email, local_part, password_hash, quota_mb, outbound_daily_limit, active, home, created_at)
         VALUES ${ids.map((id) => `(${id}, 1, 'm${id}@${NAME}', 'm${id}', 'x', 1, 0, 1, 'h', 0)`).join(', ')}`,
      );
      await database.write(
        `INSERT INTO alias (id, domain_id, address, destination, destination_mailbox_id, created_at)
         VALUES ${ids.map((id) => `(${id}, 1, 'a${id}@${NAME}', 'm${id}@${NAME}', ${id}, 0)`).join(', ')}`,
      );
    }
  }

  /**
   * Counts in one statement, which sees one moment: MariaDB ends the transaction of a process that was killed, and may
   * commit it.
   */
  const stored = async (database: Database) => {
    const counted = TABLES.map((table) => `(SELECT COUNT(*) FROM ${table}) AS ${table}`);
    const noted = ['mailbox_count', 'alias_count'].map((column) => `(SELECT ${column} FROM domain) AS ${column}`);
    const partner = '(SELECT domain_count FROM partner WHERE id = 1) AS domain_count';
    const [row] = await database.read(`SELECT ${[...counted, ...noted, partner].join(', ')}`);
    return {
      rows: TABLES.map((table) => Number(row?.[table])),
      counts: [row?.mailbox_count, row?.alias_count, row?.domain_count].map(Number),
    };
  };
  const NOTHING = [0, 0, 0, 0, 1, 1, MAILBOXES, MAILBOXES];
  /**
   * Sends the deletion, and again when it is refused: MariaDB ends a transaction that is silent for a second, also that
   * of a process that stands still.
   *
   * @returns null when the process was killed meanwhile
   */
  async function deleteWith(service: ChildService): Promise<number | null> {
    for (;;) {
      const answer = await service.call('DELETE', `/domains/${NAME}`).catch(() => null);
      if (answer?.status !== 503) return answer?.status ?? null;
    }
  }

  /** Sends the deletion, and kills the process after so many pieces of 500 rows are committed. */
  async function killAfter(pieces: number): Promise<void> {
    const killed = await start();
    // Opened once, so that the process stands still for one statement at a time.
    await withDatabase(async (database) => {
      await stored(database);
      const deletion = deleteWith(killed);
      await killed.pauseWhen(`${pieces} pieces`, async () => {
        const [, mailboxes = 0, aliases = 0] = (await stored(database)).rows;
        return mailboxes + aliases <= 2 * MAILBOXES - pieces * 500;
      });
      await killed.end('SIGKILL');
      expect(await deletion).toBeNull();
    });
    const { rows, counts } = await withDatabase(stored);
    const [domain, mailboxes = 0, aliases = 0, begun] = rows;
    // Between two pieces: each row is in one of the tables, and the counts are those of the rows.
    expect([domain, begun, ...rows.slice(4)]).toEqual([1, 1, 1, 0, MAILBOXES - mailboxes, MAILBOXES - aliases]);
    expect(mailboxes + aliases).toBeGreaterThan(0);
    expect(mailboxes + aliases).toBeLessThanOrEqual(2 * MAILBOXES - pieces * 500);
    expect(counts).toEqual([mailboxes, aliases, 1]);
  }

  it('a deletion that was killed between two pieces is finished by the job of the next process, or by the next request', async () => {
    await killAfter(1);
    // Killed again, it goes on where it stopped. The job waits for ten seconds, so the request is first.
    await killAfter(4);
    const service = await start();
    await service.until(async () => (await service.call('GET', `/domains/${NAME}`)).status === 404);
    expect((await service.call('GET', '/deleted')).body).toMatchObject([{ mailboxes: MAILBOXES, aliases: MAILBOXES }]);
    expect((await service.call('DELETE', `/domains/${NAME}`)).status).toBe(404);
    await service.end('SIGKILL');
    const { rows, counts } = await withDatabase(stored);
    expect(rows).toEqual(NOTHING);
    expect(counts[2]).toBe(0);
  });
});
