import type { StoredReason } from '@mailstead/core/attention/attention';
import { utcDay, utcMonth } from '@mailstead/core/clock';
import type { Domain } from '@mailstead/core/domains/domain';
import type { EntitySchema } from 'typeorm';
import { type Database, placeholders } from '../driver/database.js';
import { Columns, type Dialect } from '../driver/dialect.js';
import { rowTable } from '../driver/row-table.js';
import { condition } from './conditions.js';
import type { Condition } from './search-plan.js';

/**
 * One row for each domain and reason. Without a foreign key: an increment must not wait for a lock of the domain. The
 * period is that of a limit; empty for other reasons.
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

/** The rows `a` that are about the present: a limit of a past period has ended by itself. */
export function presentCondition(now: Date): Condition {
  return condition(
    `(a.period = '' OR a.period IN (SELECT CONCAT(?, '/', e.day_epoch) FROM outbound_epoch e WHERE e.id = 1
        UNION ALL SELECT CONCAT(?, '/', e.month_epoch) FROM outbound_epoch e WHERE e.id = 1))`,
    utcDay(now),
    utcMonth(now),
  );
}

/** The period of the rows of a reason that are about the present: that of a limit, empty for other reasons. */
export async function presentPeriods(database: Database, now: Date): Promise<(reason: StoredReason) => string> {
  const [epochs] = await database.read('SELECT day_epoch, month_epoch FROM outbound_epoch WHERE id = 1');
  const day = `${utcDay(now)}/${Number(epochs?.day_epoch)}`;
  const month = `${utcMonth(now)}/${Number(epochs?.month_epoch)}`;
  const ofLimits: Partial<Record<StoredReason, string>> = {
    daily_limit: day,
    monthly_limit: month,
    transfer_limit: month,
  };
  return (reason) => ofLimits[reason] ?? '';
}

/** Writes whether the domain is suspended and blocked. */
export async function writeStates(
  database: Database,
  { id, partnerId, status, outboundStatus }: Domain,
): Promise<void> {
  const states = [
    ...(status === 'suspended' ? ['suspended'] : []),
    ...(outboundStatus === 'blocked' ? ['blocked'] : []),
  ];
  const others = ['suspended', 'blocked'].filter((state) => !states.includes(state));
  if (others.length > 0) await removeReasons(database, id, others);
  if (states.length === 0) return;
  await database.write(
    `${database.dialect.insertOrIgnore('domain_attention')} (domain_id, reason, partner_id, period) VALUES ${states.map(() => "(?, ?, ?, '')").join(', ')}`,
    states.flatMap((state) => [id, state, partnerId]),
  );
}

export async function removeReasons(database: Database, domainId: number, reasons: readonly string[]): Promise<void> {
  await database.write(`DELETE FROM domain_attention WHERE domain_id = ? AND reason IN (${placeholders(reasons)})`, [
    domainId,
    ...reasons,
  ]);
}

/** Writes a reason that has no period. */
export async function addReason(database: Database, domainId: number, reason: StoredReason): Promise<void> {
  await database.write(
    `${database.dialect.insertOrIgnore('domain_attention')} (domain_id, reason, partner_id, period)
     SELECT d.id, ?, d.partner_id, '' FROM domain d WHERE d.id = ?`,
    [reason, domainId],
  );
}
