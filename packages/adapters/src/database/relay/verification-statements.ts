import type { DomainName } from '@mailstead/core/domains/domain-name';
import type { DueVerification } from '@mailstead/core/relay/verification-repository';
import { chunksOf } from '../driver/chunks.js';
import { type Database, placeholders, type Row } from '../driver/database.js';

/*
 * Plain SQL: the poll of the relay provider reads and marks thousands of rows with one statement, and numbers them by
 * partner, which TypeORM's query builder cannot do.
 */

/** @returns whether this caller changed the row; true for only one of several concurrent callers */
export async function claimCheck(
  database: Database,
  domainId: number,
  checkedBefore: Date,
  now: Date,
): Promise<boolean> {
  const { affected } = await database.write(
    'UPDATE verification SET last_asked_at = ? WHERE domain_id = ? AND (last_asked_at IS NULL OR last_asked_at <= ?)',
    [now.getTime(), domainId, checkedBefore.getTime()],
  );
  return affected === 1;
}

/** @returns the number of named domains that have the status and stored records */
export async function confirm(
  database: Database,
  status: 'pending' | 'verified',
  names: string[],
  at: Date,
): Promise<number> {
  let confirmed = 0;
  for (const chunk of chunksOf(names)) {
    const { affected } = await database.write(
      `UPDATE verification SET last_checked_at = ? WHERE status = ? AND dns_records IS NOT NULL AND at_risk_since IS NULL AND domain_id IN (SELECT id FROM domain WHERE name IN (${placeholders(chunk)}))`,
      [at.getTime(), status, ...chunk],
    );
    confirmed += affected;
  }
  return confirmed;
}

/** The most verifications that one statement starts. */
const STARTED_AT_ONCE = 1_000;

export async function startMissing(database: Database, now: Date): Promise<number> {
  for (let started = 0; ; ) {
    const { affected } = await database.write(
      `UPDATE verification SET status = 'pending', started_at = ?, check_attempt = 0 WHERE status = 'unverified' AND domain_id IN (
         SELECT domain_id FROM (
           SELECT v.domain_id FROM verification v
             JOIN domain d ON d.id = v.domain_id
             LEFT JOIN verification parent ON parent.domain_id = d.parent_id
            WHERE v.status = 'unverified' AND (parent.status IS NULL OR parent.status <> 'verified') LIMIT ?) AS missing)`,
      [now.getTime(), STARTED_AT_ONCE],
      // Both statuses say "not verified".
      [],
    );
    started += affected;
    if (affected < STARTED_AT_ONCE) return started;
  }
}

export async function markChecked(database: Database, domainIds: number[], at: Date): Promise<void> {
  for (const chunk of chunksOf(domainIds)) {
    await database.write(`UPDATE verification SET last_checked_at = ? WHERE domain_id IN (${placeholders(chunk)})`, [
      at.getTime(),
      ...chunk,
    ]);
  }
}

/**
 * Orders round-robin over the partners, oldest first, so that a partner with thousands of domains does not delay
 * others.
 */
export async function dueForPoll(
  database: Database,
  status: 'pending' | 'verified',
  checkedBefore: Date,
  limit: number,
): Promise<DueVerification[]> {
  const rows = await database.read(
    `SELECT v.domain_id, d.name, d.partner_id, v.started_at,
            ROW_NUMBER() OVER (PARTITION BY d.partner_id ORDER BY v.last_checked_at, v.domain_id) AS turn
       FROM verification v JOIN domain d ON d.id = v.domain_id
      WHERE v.status = ? AND (v.last_checked_at IS NULL OR v.last_checked_at < ?)
      ORDER BY turn, v.domain_id LIMIT ?`,
    [status, checkedBefore.getTime(), limit],
  );
  return rows.map(toDue);
}

export function toDue(row: Row): DueVerification {
  return {
    domainId: Number(row.domain_id),
    name: row.name as DomainName,
    partnerId: Number(row.partner_id),
    startedAt: row.started_at === null ? null : new Date(Number(row.started_at)),
  };
}
