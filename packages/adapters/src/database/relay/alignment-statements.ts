import type { AlignmentCounts, DueVerification, WantedAlignment } from '@mailstead/core/relay/verification-repository';
import type { Database } from '../driver/database.js';
import { toDue } from './verification-statements.js';

/*
 * Plain SQL: the job reads one row of a partner by `ix_verification_align`, and the plan of the day changes many rows
 * with one statement.
 */

/** The domains that have an identity. One that failed gets the set when its verification is started again. */
const HAS_IDENTITY = "status IN ('pending', 'verified')";
/** The most rows that one statement makes due. */
const PLANNED_AT_ONCE = 1_000;

/**
 * A verified domain of a partner that is in no tenant, whose partner has no problem with it; another one becomes due
 * when its problem has ended.
 */
const IS_IN_NO_TENANT = `(status = 'verified' AND tenant_partner_id IS NULL
                 AND partner_id <> (SELECT p.id FROM partner p WHERE p.ref = '')
                 AND NOT EXISTS (SELECT 1 FROM relay_tenant t
                                  WHERE t.partner_id = verification.partner_id AND t.problem IS NOT NULL))`;

export async function planAlignment(
  database: Database,
  { configurationSet, inTenant }: WantedAlignment,
  now: Date,
): Promise<void> {
  let planned = PLANNED_AT_ONCE;
  while (planned === PLANNED_AT_ONCE) {
    const { affected } = await database.write(
      `UPDATE verification SET align_at = 0 WHERE domain_id IN (
         SELECT domain_id FROM (
           SELECT domain_id FROM verification
            WHERE ${HAS_IDENTITY} AND dns_records IS NOT NULL AND (align_at IS NULL OR align_at > ?)
              AND (align_at IS NULL OR configuration_set IS NULL OR configuration_set <> ?
                   ${inTenant ? `OR ${IS_IN_NO_TENANT}` : ''}) LIMIT ?) AS differing)`,
      [now.getTime(), configurationSet, PLANNED_AT_ONCE],
    );
    planned = affected;
  }
}

export async function nextToAlign(
  database: Database,
  afterPartnerId: number,
  now: Date,
): Promise<DueVerification | null> {
  const due = `${HAS_IDENTITY} AND align_at <= ?`;
  const [row] = await database.read(
    `SELECT v.domain_id, d.name, d.partner_id, v.started_at FROM verification v JOIN domain d ON d.id = v.domain_id
      WHERE v.${due} AND v.partner_id = (
        SELECT p.id FROM partner p WHERE p.id > ? AND EXISTS (
          SELECT 1 FROM verification w WHERE w.partner_id = p.id AND w.${due}) ORDER BY p.id LIMIT 1)
      ORDER BY v.align_at, v.domain_id LIMIT 1`,
    [now.getTime(), afterPartnerId, now.getTime()],
  );
  if (row !== undefined) return toDue(row);
  return afterPartnerId === 0 ? null : nextToAlign(database, 0, now);
}

export async function noteAlignment(
  database: Database,
  { domainId, partnerId }: Pick<DueVerification, 'domainId' | 'partnerId'>,
  alignAt: Date,
  configurationSet: string | null | undefined,
): Promise<void> {
  const changes = configurationSet === undefined ? 'align_at = ?' : 'align_at = ?, configuration_set = ?';
  await database.write(`UPDATE verification SET ${changes} WHERE domain_id = ? AND partner_id = ?`, [
    alignAt.getTime(),
    ...(configurationSet === undefined ? [] : [configurationSet]),
    domainId,
    partnerId,
  ]);
}

export async function countAligned(database: Database, wantedSet: string): Promise<AlignmentCounts> {
  const [row] = await database.read(
    `SELECT COUNT(*) AS identities, COALESCE(SUM(configuration_set = ?), 0) AS aligned FROM verification
      WHERE ${HAS_IDENTITY} AND align_at IS NOT NULL`,
    [wantedSet],
  );
  const aligned = Number(row?.aligned);
  return { aligned, toAlign: Number(row?.identities) - aligned };
}
