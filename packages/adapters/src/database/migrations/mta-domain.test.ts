import { HOUR_MS } from '@mailstead/core/clock';
import { correctDerived } from '../derived/correct-derived.js';
import type { Database, Parameter } from '../driver/database.js';
import { openDatabase } from '../driver/open-database.js';
import { makeTestLocation } from '../testing/database-fixture.js';
import { runFormerSteps } from '../testing/former-release.js';
import { createFormerViews, viewDifferences } from '../testing/former-views.js';
import { migrate } from './migrate.js';

const FIRST_STEP = 1_772_323_250_000;

const STAGES = [null, 'changes', 'all'];
const PARENTS = product([[''], ['billing'], ['abuse,operator']], [['active'], ['blocked']], [['verified'], ['lost']]);
const CHILDREN = product(
  [[''], ['partner']],
  [['active'], ['blocked']],
  [['verified'], ['pending']],
  [['open'], ['pending']],
  [[null], [-HOUR_MS], [HOUR_MS]],
);

/** Every combination of one element of each list, joined. */
function product(...lists: (string | number | null)[][][]): (string | number | null)[][] {
  return lists.reduce((found, list) => found.flatMap((left) => list.map((right) => [...left, ...right])), [[]]);
}

/** Only on MariaDB, because mail servers do not read the embedded database. */
describe('the rows of `mta_domain`', () => {
  let database: Database;
  let remove: () => Promise<void>;

  /** A database of the former release with a domain in each state, below a parent in each state and without one. */
  beforeAll(async () => {
    const { remove: removeLocation, ...location } = await makeTestLocation('mariadb');
    remove = removeLocation;
    database = await openDatabase({ ...location, poolSize: 4 });
    await runFormerSteps(database, ({ number }) => number < FIRST_STEP);
    await createFormerViews(database);
    await fill();
    await migrate(database);
  });
  afterAll(async () => {
    await database.close();
    await remove();
  });

  async function fill(): Promise<void> {
    const now = Date.now();
    const domains: Parameter[][] = [];
    const verifications: Parameter[][] = [];
    const add = (partner: number, parentId: number | null, [causes, outbound, status, inbound, until]: Parameter[]) => {
      const id = domains.length + 1;
      const inherited = typeof until === 'number' ? now + until : null;
      domains.push([
        id,
        `d${id}.example`,
        partner,
        parentId,
        id % 3,
        id % 2,
        causes ?? '',
        outbound ?? '',
        inbound ?? 'open',
        inherited,
      ]);
      verifications.push([id, status ?? '']);
      return id;
    };
    for (const [index, stage] of STAGES.entries()) {
      const partner = 10 + index;
      await database.write(
        'INSERT INTO partner (id, ref, domain_count, last_created_at, stage) VALUES (?, ?, 0, 0, ?)',
        [partner, `p${partner}`, stage],
      );
      for (const child of CHILDREN) add(partner, null, child);
      for (const parent of PARENTS) {
        const parentId = add(partner, null, parent);
        for (const child of CHILDREN) add(partner, parentId, child);
      }
    }
    const rows = (list: Parameter[][], tuple: string) => list.map(() => tuple).join(', ');
    for (let from = 0; from < domains.length; from += 500) {
      const [some, own] = [domains.slice(from, from + 500), verifications.slice(from, from + 500)];
      await database.write(
        `INSERT INTO domain (id, name, partner_id, parent_id, retention_days, transfer_monthly_mb, suspension_causes, outbound_status, inbound, inherited_until, created_at, retention_days_before, wildcard_mode, mailbox_count, alias_count)
         VALUES ${rows(some, "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 'none', 0, 0)")}`,
        some.flat(),
        [],
      );
      await database.write(
        `INSERT INTO verification (domain_id, status, dkim_status, check_attempt, ownership_token, ownership_required) VALUES ${rows(own, "(?, ?, '', 0, 't', 0)")}`,
        own.flat(),
        [],
      );
    }
    await database.write("INSERT INTO mta_relay_host SELECT name, '[relay]:25' FROM domain");
    await database.write(
      `INSERT INTO mailbox (domain_id, email, local_part, password_hash, quota_mb, outbound_daily_limit, active, home, created_at)
       SELECT id, CONCAT('a@', name), 'a', 'h', id % 5, 0, id % 2, MD5(name), 0 FROM domain`,
    );
    await database.write(
      `INSERT INTO alias (domain_id, address, destination, destination_mailbox_id, created_at)
       SELECT d.id, CONCAT(IF(d.id % 7 = 0, '', 'b'), '@', d.name), m.email, IF(d.id % 3 = 0, NULL, m.id), 0
         FROM domain d JOIN mailbox m ON m.domain_id = d.id + 1`,
    );
  }

  it('and all views are right after an upgrade with domains in every state, until and after the time they may send', async () => {
    const [counts] = await database.read('SELECT COUNT(*) AS total FROM mta_domain');
    expect(Number(counts?.total)).toBe(STAGES.length * (24 + PARENTS.length * 25));
    for (const hours of [-2, 0, 2]) {
      expect(await viewDifferences(database, new Date(Date.now() + hours * HOUR_MS))).toEqual([]);
    }
    expect(await correctDerived(database)).toBe(0);
  });

  it.each([
    "UPDATE domain SET suspension_causes = 'billing' WHERE id % 5 = 0",
    "UPDATE domain SET suspension_causes = 'abuse' WHERE parent_id IS NULL AND id % 2 = 0",
    "UPDATE domain SET outbound_status = 'blocked', inherited_until = 5, transfer_monthly_mb = 9, retention_days = 8 WHERE id % 3 = 0",
    "UPDATE domain SET inbound = IF(inbound = 'open', 'pending', 'open')",
    "UPDATE verification SET status = IF(status = 'verified', 'failed', 'verified')",
    "UPDATE partner SET stage = IF(stage IS NULL, 'all', NULL)",
    'UPDATE domain SET parent_id = NULL WHERE id % 2 = 0',
    `INSERT INTO domain (id, name, partner_id, created_at, retention_days, retention_days_before, transfer_monthly_mb, suspension_causes, outbound_status, wildcard_mode, inbound, mailbox_count, alias_count)
     VALUES (90000, 'new.example', 10, 0, 0, 0, 0, '', 'active', 'none', 'open', 0, 0)`,
    "INSERT INTO verification (domain_id, status, dkim_status, check_attempt, ownership_token, ownership_required) VALUES (90000, 'verified', '', 0, 't', 0)",
    'DELETE FROM mta_domain WHERE domain_id % 4 = 0',
  ])('are corrected after a process of the former release has written: %s', async (sql) => {
    await database.write(sql, [], []);
    const wrong = await viewDifferences(database);
    expect(await correctDerived(database)).toBeGreaterThanOrEqual(wrong.length > 0 ? 1 : 0);
    expect(await viewDifferences(database)).toEqual([]);
    expect(await correctDerived(database)).toBe(0);
  });

  it('are removed with the domains that a process of the former release deletes', async () => {
    await database.write('DELETE FROM verification WHERE domain_id = 90000', [], []);
    await database.write('DELETE FROM domain WHERE id = 90000', [], []);
    expect(await viewDifferences(database)).toEqual([]);
  });
});
