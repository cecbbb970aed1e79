import type { Database } from '@mailstead/adapters/database/driver/database';
import { openDatabase } from '@mailstead/adapters/database/driver/open-database';
import type { Report } from '../report.js';
import { call, type DatabaseKind, PASSWORD_HASH, type Served, startService } from '../service.js';

const MAILBOXES = 10_000;
const ROWS_PER_INSERT = 250;

/**
 * The restoration of 10,000 mailboxes and as many aliases, with creations of its own and of another partner meanwhile.
 */
export async function restore(kind: DatabaseKind, report: Report): Promise<void> {
  const empty = await startService(kind);
  for (const [name, partner] of [
    ['large.example', 'large'],
    ['elsewhere.example', 'large'],
    ['other.example', 'other'],
  ]) {
    await call(empty, 'POST', '/domains/', { name, partner_ref: partner });
  }
  await empty.stop();
  const database = await openDatabase({ url: empty.databaseUrl, dataDir: empty.dataDir, poolSize: 1 });
  await fill(database);
  await database.close();
  const service = await startService(kind, empty);
  const deletedMs = await timed(() => call(service, 'DELETE', '/domains/large.example'));
  const [deletion] = (await call(service, 'GET', '/deleted?domain=large.example')) as unknown as { id: number }[];
  // InnoDB removes deleted rows a little later. Until then a new row with the same unique value locks the next value
  // too.
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  const run = { ended: false };
  const own = slowestCreation(service, 'elsewhere.example', run);
  const other = slowestCreation(service, 'other.example', run);
  let restored: Record<string, unknown> = {};
  const restoredMs = await timed(async () => {
    restored = await call(service, 'POST', `/deleted/${deletion?.id ?? 0}/restore`);
  });
  run.ended = true;
  const [ownMs, otherMs] = [await own, await other];
  report.note(
    `restoration of 10,000 mailboxes and 10,000 aliases, ${kind}`,
    `${Math.round(restoredMs)} ms, × ${(restoredMs / deletedMs).toFixed(1)} of their deletion; the slowest creation meanwhile: ${Math.round(ownMs)} ms of the same partner, ${Math.round(otherMs)} ms of another`,
    '≤ × 3 of the deletion; every mailbox is back',
    restoredMs / deletedMs <= 3 && restored.mailboxes === MAILBOXES,
  );
  await service.stop();
}

async function slowestCreation(service: Served, domain: string, run: { ended: boolean }): Promise<number> {
  let slowestMs = 0;
  for (let index = 0; !run.ended; index += 1) {
    const body = { email: `z${index}@${domain}`, password_hash: PASSWORD_HASH };
    slowestMs = Math.max(slowestMs, await timed(() => call(service, 'POST', '/users/', body)));
  }
  return slowestMs;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/**
 * Adds the mailboxes of the first domain, and an alias of the second one to each. The rows of one insert share a
 * statement.
 */
async function fill(database: Database): Promise<void> {
  for (let start = 0; start < MAILBOXES; start += ROWS_PER_INSERT) {
    const ids = Array.from({ length: ROWS_PER_INSERT }, (_, index) => start + index + 1);
    const homes = ids.map((id) => id.toString(16).padStart(32, '0'));
    await database.write(
      `INSERT INTO mailbox (id, domain_id, partner_id, email, local_part, password_hash, quota_mb, outbound_daily_limit, active, home, created_at)
       SELECT v.id, d.id, d.partner_id, v.email, v.local_part, '${PASSWORD_HASH}', 1024, 0, 1, v.home, 0 FROM domain d JOIN (
         ${ids.map((id, index) => `SELECT ${id} AS id, 'm${id}@large.example' AS email, 'm${id}' AS local_part, '${homes[index] ?? ''}' AS home`).join(' UNION ALL ')}) v
        WHERE d.name = 'large.example'`,
    );
  }
  await database.write(
    `INSERT INTO alias (domain_id, partner_id, address, destination, destination_mailbox_id, created_at)
     SELECT d.id, d.partner_id, ${database.dialect.name === 'mysql' ? "CONCAT('a', m.id, '@elsewhere.example')" : "'a' || m.id || '@elsewhere.example'"}, m.email, m.id, 0
       FROM mailbox m JOIN domain d ON d.name = 'elsewhere.example'`,
  );
  await database.write(`UPDATE domain SET mailbox_count = ${MAILBOXES} WHERE name = 'large.example'`);
  await database.write(`UPDATE domain SET alias_count = ${MAILBOXES} WHERE name = 'elsewhere.example'`);
}
