import { STORED_REASONS } from '@mailstead/core/attention/attention';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import { searchedTextsOf } from '@mailstead/core/domains/searched-texts';
import { SUSPENSION_CAUSES } from '@mailstead/core/domains/suspension';
import { VERIFICATION_STATUSES } from '@mailstead/core/relay/verification';
import type { Database, Parameter } from '../driver/database.js';
import { presentPeriods, storedAs } from '../finding/attention-rows.js';

export const DOMAINS = 90;
const MAILBOXES = 180;
export const PARTNERS = ['one', 'two', 'three'];
/** Of the partners, by their order. */
export const STAGES = [null, null, 'changes'] as const;
export const NOW = new Date('2026-03-15T12:00:00.000Z');
const LABELS = ['a', 'ab', 'mail', 'shop-a', 'xn--bcher-kva', 'example'];
const LOCAL_PARTS = ['a', 'ab', 'info', "o'neil", 'x_y', 'x%y', '~'];

/** The same value for the same numbers, so that the rows look random and are the same in each run. */
const pick = <T>(values: readonly T[], ...numbers: number[]): T => {
  const mixed = numbers.reduce((sum, number, index) => sum * 31 + number * (7 + index * 4), 17);
  const value = values[mixed % values.length];
  if (value === undefined) throw new Error('There are no values');
  return value;
};

export const domains = Array.from({ length: DOMAINS }, (_, index) => {
  const id = index + 1;
  const partnerId = 2 + pick([0, 1, 2, 0], id, 3);
  return {
    id,
    partnerId,
    name: [...[0, 1, 2].slice(0, id % 3).map((at) => pick(LABELS, id, at)), `d${id}`, 'example'].join(
      '.',
    ) as DomainName,
    causes: SUSPENSION_CAUSES.filter((cause, at) =>
      pick([true, false, false, false, false], id, at, cause.length),
    ).join(','),
    outboundStatus: pick(['active', 'active', 'blocked'], id, 5),
    inbound: pick(['open', 'pending'], id, 6),
    plan: pick([null, 'starter', 'business'], id, 7),
    externalRef: pick([null, null, 'r-1', 'Ünï'], id, 8),
    verification: pick(VERIFICATION_STATUSES, id, 9),
    inheritedUntil: pick([null, null, NOW.getTime() - 1, NOW.getTime() + 1], id, 10),
    parentId: pick([null, null, 1, 2, 3], id, 11),
    listed: STORED_REASONS.filter((_, at) => pick([true, false, false, false], id, at, 13)),
  };
});
export type DomainRow = (typeof domains)[number];
export const domainOf = new Map(domains.map((domain) => [domain.id, domain]));

// A linked parent belongs to the same partner.
for (const domain of domains) {
  const parent = domain.parentId === null ? undefined : domainOf.get(domain.parentId);
  if (parent === domain || parent?.partnerId !== domain.partnerId) domain.parentId = null;
}

export const mailboxes = Array.from({ length: MAILBOXES }, (_, index) => {
  const id = index + 1;
  const domain = pick(domains, id, 12);
  return {
    id,
    domain,
    email: `${pick(LOCAL_PARTS, id)}${id}@${domain.name}`,
    active: pick([true, true, false], id, 2),
    externalRef: pick([null, 'm-1', 'm-2'], id, 3),
  };
});

/** Fills a migrated database with the domains and mailboxes. */
export async function fillSearchWorld(database: Database): Promise<void> {
  const insert = async (table: string, rows: Record<string, Parameter>[]) => {
    const columns = Object.keys(rows[0] ?? {});
    await database.write(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${rows.map(() => `(${columns.map(() => '?').join(', ')})`).join(', ')}`,
      rows.flatMap((row) => columns.map((column) => row[column] ?? null)),
      [],
    );
  };

  await insert(
    'partner',
    PARTNERS.map((ref, index) => ({
      id: index + 2,
      ref,
      domain_count: 0,
      last_created_at: 0,
      stage: STAGES[index] ?? null,
    })),
  );
  // Parents first, because of the foreign key.
  await insert(
    'domain',
    domains.map(
      ({ id, name, partnerId, causes, outboundStatus, inbound, plan, externalRef, inheritedUntil, parentId }) => ({
        id,
        name,
        partner_id: partnerId,
        created_at: id,
        plan,
        retention_days: 0,
        retention_days_before: 0,
        transfer_monthly_mb: 0,
        suspension_causes: causes,
        outbound_status: outboundStatus,
        parent_id: parentId,
        wildcard_mode: 'none',
        inherited_until: inheritedUntil,
        inbound,
        external_ref: externalRef,
        mailbox_count: 0,
        alias_count: 0,
      }),
    ),
  );
  await insert(
    'domain_suffix',
    domains.flatMap(({ id, partnerId, name }) =>
      searchedTextsOf(name).map((suffix) => ({ partner_id: partnerId, suffix, domain_id: id })),
    ),
  );
  const periodOf = await presentPeriods(database, NOW);
  await insert(
    'domain_attention',
    domains.flatMap(({ id, partnerId, listed }) =>
      STORED_REASONS.map((reason) => ({
        domain_id: id,
        partner_id: partnerId,
        reason: storedAs(reason),
        // The others are of a period that has ended.
        period: listed.includes(reason) ? periodOf(reason) : '2026-02-28/0',
      })),
    ),
  );
  await insert(
    'verification',
    domains.map(({ id, partnerId, verification }) => ({
      domain_id: id,
      partner_id: partnerId,
      status: verification,
      dkim_status: '',
      check_attempt: 0,
      ownership_token: 't',
      ownership_required: 0,
    })),
  );
  await insert(
    'mailbox',
    mailboxes.map(({ id, domain, email, active, externalRef }) => ({
      id,
      domain_id: domain.id,
      partner_id: domain.partnerId,
      email,
      local_part: email.slice(0, email.indexOf('@')),
      password_hash: 'x',
      quota_mb: 0,
      outbound_daily_limit: 0,
      active: Number(active),
      external_ref: externalRef,
      home: 'h',
      created_at: id,
    })),
  );
  await insert(
    'alias',
    mailboxes.map(({ id, domain, email }) => ({
      id,
      domain_id: domain.id,
      partner_id: domain.partnerId,
      address: email,
      destination: `to${id % 3}@out.example`,
      created_at: id,
    })),
  );
}
