import { STORED_REASONS, type StoredReason } from '@mailstead/core/attention/attention';
import { utcDay, utcMonth } from '@mailstead/core/clock';
import type { Domain } from '@mailstead/core/domains/domain';
import type { EntitySchema } from 'typeorm';
import { type Database, placeholders } from '../driver/database.js';
import { Columns, type Dialect } from '../driver/dialect.js';
import { rowTable } from '../driver/row-table.js';
import { condition } from './conditions.js';
import { MAIL_WAITS } from './mail-stop-condition.js';
import type { Condition } from './search-plan.js';

/**
 * One row for each domain and reason. Without a foreign key: an increment must not wait for a lock of the domain. The
 * period is that of a limit, or a day; empty for other reasons.
 */
export function domainAttentionSchema(dialect: Dialect): EntitySchema<object> {
  const columns = new Columns(dialect);
  return rowTable('DomainAttentionRow', 'domain_attention', {
    columns: {
      domainId: columns.ref({ name: 'domain_id', primary: true }),
      reason: columns.exact(16, { primary: true }),
      partnerId: columns.ref({ name: 'partner_id' }),
      period: columns.exact(24),
    },
    indices: [
      { name: 'ix_domain_attention', columns: ['partnerId', 'domainId'] },
      // For one reason, of all partners and of one.
      { name: 'ix_domain_attention_reason', columns: ['reason', 'period', 'domainId'] },
      { name: 'ix_domain_attention_partner', columns: ['partnerId', 'reason', 'period', 'domainId'] },
    ],
  });
}

/** What is stored for a reason whose word is longer than the column. */
const STORED_AS: Partial<Record<StoredReason, string>> = { suppressions_high: 'suppressions' };

/** @returns what is stored for a reason */
export function storedAs(reason: StoredReason): string {
  return STORED_AS[reason] ?? reason;
}

/** @returns the reason that a stored word stands for */
export function reasonOf(stored: unknown): StoredReason {
  return STORED_REASONS.find((reason) => storedAs(reason) === stored) ?? (stored as StoredReason);
}

/**
 * The rows `a` of domains `d` that are about the present: a limit of a past period, or a past day, has ended by
 * itself, and mail waits only while a suspension stops it.
 */
export function presentCondition(now: Date): Condition {
  return condition(
    `((a.reason <> 'mail_waiting' OR ${MAIL_WAITS})
      AND (a.period IN ('', ?) OR a.period IN (SELECT CONCAT(?, '/', e.day_epoch) FROM outbound_epoch e WHERE e.id = 1
        UNION ALL SELECT CONCAT(?, '/', e.month_epoch) FROM outbound_epoch e WHERE e.id = 1)))`,
    utcDay(now),
    utcDay(now),
    utcMonth(now),
  );
}

/**
 * The period of the rows of a reason that are about the present: that of a limit, or the day; empty for other reasons.
 */
export async function presentPeriods(database: Database, now: Date): Promise<(reason: StoredReason) => string> {
  const [epochs] = await database.read('SELECT day_epoch, month_epoch FROM outbound_epoch WHERE id = 1');
  const day = `${utcDay(now)}/${Number(epochs?.day_epoch)}`;
  const month = `${utcMonth(now)}/${Number(epochs?.month_epoch)}`;
  const ofDays: Partial<Record<StoredReason, string>> = {
    daily_limit: day,
    monthly_limit: month,
    transfer_limit: month,
    suppressions_high: utcDay(now),
  };
  return (reason) => ofDays[reason] ?? '';
}

/** Writes whether the domain is suspended and blocked. */
export async function writeStates(
  database: Database,
  { id, partnerId, partnerStage, status, outboundStatus }: Domain,
): Promise<void> {
  const states = [
    ...(status === 'suspended' ? ['suspended'] : []),
    ...(outboundStatus === 'blocked' ? ['blocked'] : []),
  ];
  // The next suspension has its own event.
  const others = [
    ...['suspended', 'blocked'].filter((state) => !states.includes(state)),
    ...(status === 'active' && partnerStage === null ? ['mail_waiting'] : []),
  ];
  if (others.length > 0) await removeReasons(database, id, others);
  if (states.length === 0) return;
  await database.write(
    `${database.dialect.insertOrIgnore('domain_attention')} (domain_id, reason, partner_id, period) VALUES ${states.map(() => "(?, ?, ?, '')").join(', ')}`,
    states.flatMap((state) => [id, state, partnerId]),
  );
}

export async function removeReasons(database: Database, domainId: number, reasons: readonly string[]): Promise<void> {
  const stored = reasons.map((reason) => storedAs(reason as StoredReason));
  await database.write(`DELETE FROM domain_attention WHERE domain_id = ? AND reason IN (${placeholders(stored)})`, [
    domainId,
    ...stored,
  ]);
}

/** Writes a reason that has no period. @returns whether the domain did not have it */
export async function addReason(database: Database, domainId: number, reason: StoredReason): Promise<boolean> {
  const { affected } = await database.write(
    `${database.dialect.insertOrIgnore('domain_attention')} (domain_id, reason, partner_id, period)
     SELECT d.id, ?, d.partner_id, '' FROM domain d WHERE d.id = ?`,
    [reason, domainId],
  );
  return affected > 0;
}
