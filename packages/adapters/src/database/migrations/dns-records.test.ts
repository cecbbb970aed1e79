import type { DnsRecord } from '@mailstead/core/relay/dns-records';
import type { Database } from '../driver/database.js';
import { openDatabase } from '../driver/open-database.js';
import { SqlUnitOfWork } from '../driver/sql-unit-of-work.js';
import { TypeormVerificationRepository } from '../relay/verification-repository.js';
import { makeTestLocation, onEachDatabase } from '../testing/database-fixture.js';
import { runFormerSteps } from '../testing/former-release.js';
import { migrate } from './migrate.js';

/** The former release has only the steps before this millisecond. */
const FIRST_STEP = 1772323215000;
const [KEYED, BARE, ODD] = [1, 2, 3];
const DOMAIN_COLUMNS =
  'id, name, partner_id, created_at, retention_days, retention_days_before, transfer_monthly_mb, suspension_causes, outbound_status, wildcard_mode, inbound, mailbox_count, alias_count';
const DOMAIN_REST = "7, 0, 0, 0, 0, '', 'active', 'none', 'open', 0, 0";
const FORMER_COLUMNS =
  'domain_id, status, dkim_status, dkim_tokens, dkim_zone, check_attempt, ownership_token, ownership_required';

function recordOf(token: string, name: string, zone = 'a1b2.dkim.amazonses.com'): DnsRecord {
  return { purpose: 'dkim', type: 'CNAME', name: `${token}._domainkey.${name}`, value: `${token}.${zone}` };
}

/** Opens a database with the schema of the former release. */
async function openFormer(location: { url: string | null; dataDir: string }): Promise<Database> {
  const database = await openDatabase({ ...location, poolSize: 4 });
  await runFormerSteps(database, ({ number }) => number < FIRST_STEP);
  return database;
}

async function insertFormerRows(database: Database): Promise<void> {
  await database.write("INSERT INTO partner (id, ref, domain_count, last_created_at) VALUES (7, 'acme', 3, 0)", [], []);
  await database.write(
    `INSERT INTO domain (${DOMAIN_COLUMNS})
     VALUES (${KEYED}, 'keyed.example', ${DOMAIN_REST}), (${BARE}, 'bare.example', ${DOMAIN_REST}), (${ODD}, 'odd.example', ${DOMAIN_REST})`,
    [],
    [],
  );
  await database.write(
    `INSERT INTO verification (${FORMER_COLUMNS})
     VALUES (${KEYED}, 'verified', 'success', 't1,t2,t3', 'a1b2.dkim.amazonses.com', 0, 'o', 0),
            (${BARE}, 'unverified', 'not_started', '', '', 0, 'o', 0),
            (${ODD}, 'pending', 'pending', 'only', 'dkim.sandbox.invalid', 0, 'o', 0)`,
    [],
    [],
  );
  await database.write(
    `INSERT INTO deleted_domain (tombstone_id, ${DOMAIN_COLUMNS})
     VALUES (50, 40, 'gone.example', ${DOMAIN_REST}), (51, 41, 'never.example', ${DOMAIN_REST})`,
  );
  await database.write(
    `INSERT INTO deleted_verification (tombstone_id, ${FORMER_COLUMNS})
     VALUES (50, 40, 'verified', 'success', 'g1,g2,g3', 'a1b2.dkim.amazonses.com', 0, 'o', 0),
            (51, 41, 'unverified', 'not_started', '', '', 0, 'o', 0)`,
  );
}

onEachDatabase((kind) => {
  let database: Database;
  let remove: () => Promise<void>;
  let steps: number;
  beforeAll(async () => {
    const { remove: removeLocation, ...location } = await makeTestLocation(kind);
    remove = removeLocation;
    database = await openFormer(location);
    await insertFormerRows(database);
    steps = await migrate(database);
  });
  afterAll(async () => {
    await database.close();
    await remove();
  });

  it('domains of the former release, including deleted ones, keep the DNS records that their owners published', async () => {
    expect(steps).toBeGreaterThan(0);
    expect((await database.writer.driver.createSchemaBuilder().log()).upQueries).toEqual([]);

    const verifications = new TypeormVerificationRepository(database);
    expect(await verifications.find(KEYED)).toMatchObject({
      status: 'verified',
      providerStatus: 'success',
      records: ['t1', 't2', 't3'].map((token) => recordOf(token, 'keyed.example')),
    });
    expect((await verifications.find(BARE))?.records).toEqual([]);
    expect((await verifications.find(ODD))?.records).toEqual([recordOf('only', 'odd.example', 'dkim.sandbox.invalid')]);
    const deleted = await database.read<{ dns_records: string | null }>(
      'SELECT dns_records FROM deleted_verification ORDER BY tombstone_id',
    );
    expect(deleted.map(({ dns_records }) => JSON.parse(dns_records ?? 'null') as unknown)).toEqual([
      ['g1', 'g2', 'g3'].map((token) => recordOf(token, 'gone.example')),
      null,
    ]);
  });

  // Last, because it writes.
  if (kind === 'mariadb')
    it('processes of the former release keep running during the update, and domains that they verified are checked again', async () => {
      const verifications = new TypeormVerificationRepository(database);

      // The statements of the former release: read its columns, create a domain, store a provider's response, delete.
      expect(await database.read(`SELECT dkim_tokens FROM verification WHERE domain_id = ${KEYED}`)).toEqual([
        { dkim_tokens: 't1,t2,t3' },
      ]);
      await database.write(
        `INSERT INTO domain (${DOMAIN_COLUMNS}) VALUES (9, 'former.example', ${DOMAIN_REST})`,
        [],
        [],
      );
      await database.write(
        `INSERT INTO verification (${FORMER_COLUMNS}) VALUES (9, 'unverified', 'not_started', '', '', 0, 'o', 0)`,
        [],
        [],
      );
      await database.write(
        "UPDATE verification SET status = 'verified', dkim_status = 'success', dkim_tokens = 'f1', dkim_zone = 'z' WHERE domain_id = 9",
        [],
        [],
      );
      await database.write(
        `INSERT INTO deleted_verification (tombstone_id, ${FORMER_COLUMNS}) SELECT 60, ${FORMER_COLUMNS} FROM verification WHERE domain_id = ${ODD}`,
      );

      // A list confirms domains with stored records. The others are due for a check, which stores them.
      const at = new Date(5);
      expect(await verifications.confirm('verified', ['keyed.example', 'former.example'], at)).toBe(1);
      const due = await verifications.dueForPoll('verified', at, 10);
      expect(due.map(({ name }) => name)).toEqual(['former.example']);
      const former = await verifications.find(9);
      if (former === null) throw new Error('not found');
      former.records = [recordOf('f1', 'former.example', 'z')];
      await new SqlUnitOfWork(database).run(() => verifications.save(former));
      expect(await verifications.confirm('verified', ['former.example'], at)).toBe(1);
      expect((await verifications.find(9))?.records).toEqual(former.records);
    });
});
