import type { Database } from '../driver/database.js';
import { openDatabase } from '../driver/open-database.js';
import { SqlPurgeMarks } from '../retention/purge-marks.js';
import { makeTestLocation, onEachDatabase } from '../testing/database-fixture.js';
import { runFormerSteps } from '../testing/former-release.js';
import { migrate } from './migrate.js';

/** The former release has only the steps before this millisecond. */
const FIRST_STEP = 1772323216000;

interface FormerDomain {
  name: string;
  inbound?: 'open' | 'pending';
  retentionDays?: number;
  verifiedAt?: number;
  audited: [action: string, actorKind: string][];
}

const CREATED: [string, string] = ['domain.create', 'client'];
const DOMAINS: FormerDomain[] = [
  { name: 'waiting.example', audited: [CREATED] },
  { name: 'again.example', audited: [['domain.create', 'master'], ['domain.delete', 'master'], CREATED] },
  { name: 'open.example', inbound: 'open', retentionDays: 30, audited: [CREATED] },
  { name: 'lost.example', verifiedAt: 9, audited: [CREATED] },
  { name: 'closed.example', audited: [CREATED, ['domain.set_inbound', 'master']] },
  { name: 'made.example', audited: [['domain.create', 'master']] },
  { name: 'billed.example', audited: [['domain.create', 'operator']] },
  { name: 'unknown.example', retentionDays: 60, audited: [] },
];

async function insertFormerRows(database: Database): Promise<void> {
  await database.write("INSERT INTO partner (id, ref, domain_count, last_created_at) VALUES (7, 'acme', 8, 0)", [], []);
  for (const [
    index,
    { name, inbound = 'pending', retentionDays = 0, verifiedAt = null, audited },
  ] of DOMAINS.entries()) {
    await database.write(
      `INSERT INTO domain (id, name, partner_id, created_at, retention_days, retention_days_before, transfer_monthly_mb, suspension_causes, outbound_status, wildcard_mode, inbound, mailbox_count, alias_count)
       VALUES (?, ?, 7, 1, ?, 0, 0, '', 'active', 'none', ?, 0, 0)`,
      [index + 1, name, retentionDays, inbound],
      [],
    );
    await database.write(
      `INSERT INTO verification (domain_id, status, dkim_status, check_attempt, ownership_token, ownership_required, verified_at)
       VALUES (?, 'pending', '', 0, 't', 0, ?)`,
      [index + 1, verifiedAt],
      [],
    );
    for (const [action, actorKind] of audited) {
      await database.write(
        "INSERT INTO audit_log (changed_at, actor_kind, actor, action, domain, subject) VALUES (1, ?, 'a', ?, ?, ?)",
        [actorKind, action, name, name],
      );
    }
  }
}

onEachDatabase((kind) => {
  it('after an upgrade, only domains that a client created and that were never open wait, from the upgrade on', async () => {
    const { remove, ...location } = await makeTestLocation(kind);
    const database = await openDatabase({ ...location, poolSize: 4 });
    await runFormerSteps(database, ({ number }) => number < FIRST_STEP);
    await insertFormerRows(database);
    const before = Date.now();
    await migrate(database);
    const rows = await database.read('SELECT name, pending_since FROM domain ORDER BY id');
    const waiting = rows.filter(({ pending_since }) => pending_since !== null);
    expect(waiting.map(({ name }) => name)).toEqual(['waiting.example', 'again.example']);
    for (const { pending_since } of waiting) expect(Math.abs(Number(pending_since) - before)).toBeLessThan(600_000);
    const marks = await new SqlPurgeMarks(database).ofDomains(DOMAINS.map((_, index) => index + 1));
    expect([...marks.values()]).toEqual([
      { domainId: 3, purgedDays: 30, heldDays: null },
      { domainId: 8, purgedDays: 60, heldDays: null },
    ]);
    await database.close();
    await remove();
  });
});
