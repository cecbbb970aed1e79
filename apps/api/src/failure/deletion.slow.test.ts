import { type Database } from '@mailstead/adapters/database/driver/database';
import { openDatabase } from '@mailstead/adapters/database/driver/open-database';
import { migrate } from '@mailstead/adapters/database/migrations/migrate';
import {
  makeTestLocation,
  onEachDatabase,
  type TestLocation,
} from '@mailstead/adapters/database/testing/database-fixture';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { PATIENCE_MS } from '../../../../scripts/test-timeout.mjs';
import { ChildService } from '../testing/child-service.js';

const NAME = 'large.example';
const MAILBOXES = 5_000;

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

  /** Reads the database while no process of the service has it open. */
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

  const stored = (database: Database) =>
    Promise.all(
      ['domain', 'mailbox', 'alias', 'tombstone', 'deleted_domain', 'deleted_mailbox', 'deleted_alias'].map(
        async (table) => Number((await database.read(`SELECT COUNT(*) AS n FROM ${table}`))[0]?.n),
      ),
    );
  const ALL = [1, MAILBOXES, MAILBOXES, 0, 0, 0, 0];
  const NOTHING = [0, 0, 0, 1, 1, MAILBOXES, MAILBOXES];

  /** Waits until the transaction has moved rows; on SQLite, where these are not visible, until some reads succeeded. */
  async function untilPartlyDone(service: ChildService): Promise<void> {
    if (kind === 'sqlite') {
      for (let reads = 0; reads < 3; reads += 1) await service.call('GET', `/domains/${NAME}`);
      return;
    }
    const connection = await createConnection({ uri: location.url ?? '', connectTimeout: PATIENCE_MS });
    await connection.query('SET SESSION TRANSACTION ISOLATION LEVEL READ UNCOMMITTED');
    await service.until(async () => {
      const [rows] = await connection.query<RowDataPacket[]>('SELECT COUNT(*) AS n FROM deleted_mailbox');
      return Number(rows[0]?.n) > 0;
    });
    await connection.end();
  }

  it('a process that is killed during a deletion leaves it done or not done, and the next process completes it', async () => {
    const killed = await start();
    const deletion = killed.call('DELETE', `/domains/${NAME}`).then(
      ({ status }) => status,
      () => null,
    );
    await untilPartlyDone(killed);
    await killed.end('SIGKILL');
    const answer = await deletion;
    const left = await withDatabase(stored);
    // The commit may have succeeded before the kill, even without a response.
    expect(answer === 204 ? [NOTHING] : [ALL, NOTHING]).toContainEqual(left);
    const service = await start();
    const again = await service.call('DELETE', `/domains/${NAME}`);
    expect(again.status).toBe(left[0] === 1 ? 204 : 404);
    await service.end('SIGKILL');
    expect(await withDatabase(stored)).toEqual(NOTHING);
  });
});
