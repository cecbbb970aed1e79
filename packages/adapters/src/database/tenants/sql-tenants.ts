import type { DomainName } from '@mailstead/core/domains/domain-name';
import { needs } from '@mailstead/core/needs';
import type { ProviderTenant } from '@mailstead/core/relay/tenants/relay-tenants';
import {
  type Leaving,
  type MadeTenantRow,
  type Tenant,
  type TenantProblems,
  Tenants,
} from '@mailstead/core/relay/tenants/tenants';
import { chunksOf } from '../driver/chunks.js';
import { Database, placeholders } from '../driver/database.js';
import { Table } from '../driver/table.js';
import { upsert } from '../outbound/ledger-statements.js';
import { TenantRow } from './tenant-schemas.js';

/** The most rows that one statement changes. */
const ROWS_AT_ONCE = 1_000;
/** The partner `t.partner_id` has a verified domain. */
const HAS_VERIFIED =
  "EXISTS (SELECT 1 FROM verification v WHERE v.partner_id = t.partner_id AND v.status = 'verified')";
/** The identity `i` is that of a domain that its partner has, and that is confirmed in the tenant. */
const CAME_BACK = `EXISTS (SELECT 1 FROM domain d JOIN verification v ON v.domain_id = d.id
                            WHERE d.name = i.name AND d.partner_id = i.partner_id AND v.tenant_partner_id = i.partner_id)`;

/** Plain SQL: most of it changes or compares many rows with one statement. */
@needs(Database)
export class SqlTenants extends Tenants {
  private readonly table: Table<TenantRow>;

  constructor(private readonly database: Database) {
    super();
    this.table = new Table(database, TenantRow);
  }

  override find(partnerId: number): Promise<Tenant | null> {
    return this.read(partnerId, '');
  }

  override lock(partnerId: number): Promise<Tenant | null> {
    return this.read(partnerId, this.database.dialect.forUpdate);
  }

  private async read(partnerId: number, lock: string): Promise<Tenant | null> {
    const [row] = await this.database.read(
      `SELECT ${this.table.columns('t')} FROM relay_tenant t WHERE t.partner_id = ?${lock}`,
      [partnerId],
    );
    return row === undefined ? null : this.table.hydrate(row, 't');
  }

  override async save(tenant: Tenant): Promise<void> {
    const values = {
      partner_id: tenant.partnerId,
      name: tenant.name,
      arn: tenant.arn,
      configuration_set: tenant.configurationSet,
      policy: tenant.policy,
      status: tenant.status,
      status_since: tenant.statusSince?.getTime() ?? null,
      own_status: tenant.ownStatus,
      wanted: tenant.wanted,
      is_asked: tenant.isAsked ? 1 : 0,
      cause: tenant.cause,
      problem: tenant.problem,
      retry_at: tenant.retryAt?.getTime() ?? null,
      read_at: tenant.readAt?.getTime() ?? null,
      empty_since: tenant.emptySince?.getTime() ?? null,
    };
    const rows = [Object.values(values)];
    const { dialect } = this.database;
    const statement = upsert(dialect, 'relay_tenant', ['partner_id'], Object.keys(values), rows);
    if (statement !== null) await this.database.write(statement.sql, statement.parameters);
  }

  override async partnersOf(arns: readonly string[]): Promise<number[]> {
    const found: number[] = [];
    for (const chunk of chunksOf(arns)) {
      const rows = await this.database.read(
        `SELECT partner_id FROM relay_tenant WHERE arn IN (${placeholders(chunk)})`,
        [...chunk],
      );
      found.push(...rows.map((row) => Number(row.partner_id)));
    }
    return found;
  }

  override async beginJoin(partnerId: number, identity: DomainName): Promise<void> {
    const columns = ['partner_id', 'name', 'leave_at'];
    const rows = [[partnerId, identity, null]];
    const { dialect } = this.database;
    const statement = upsert(dialect, 'relay_tenant_identity', ['partner_id', 'name'], columns, rows);
    if (statement !== null) await this.database.write(statement.sql, statement.parameters);
  }

  override async confirmJoin({
    domainId,
    startedAt,
    partnerId,
    arn,
  }: Parameters<Tenants['confirmJoin']>[0]): Promise<boolean> {
    const { affected } = await this.database.write(
      `UPDATE verification SET tenant_partner_id = ?
        WHERE domain_id = ? AND partner_id = ? AND status = 'verified' AND COALESCE(started_at, 0) = ?
          AND EXISTS (SELECT 1 FROM relay_tenant t WHERE t.partner_id = ? AND t.arn = ?)`,
      [partnerId, domainId, partnerId, startedAt?.getTime() ?? 0, partnerId, arn],
    );
    return affected > 0 || (await this.isConfirmed(domainId, partnerId));
  }

  /** MariaDB counts only rows that change. */
  private async isConfirmed(domainId: number, partnerId: number): Promise<boolean> {
    const rows = await this.database.read(
      "SELECT 1 FROM verification WHERE domain_id = ? AND tenant_partner_id = ? AND status = 'verified'",
      [domainId, partnerId],
    );
    return rows.length > 0;
  }

  override async endJoin(partnerId: number, identity: DomainName, leaveAt: Date): Promise<void> {
    await this.endJoins('partner_id = ? AND name = ?', [partnerId, identity], leaveAt);
  }

  private async endJoins(condition: string, parameters: (string | number)[], leaveAt: Date): Promise<void> {
    const sql = `UPDATE relay_tenant_identity SET leave_at = ? WHERE ${condition}`;
    await this.database.write(sql, [leaveAt.getTime(), ...parameters]);
  }

  override async clearJoin(domainId: number, partnerId: number): Promise<void> {
    const sql = 'UPDATE verification SET tenant_partner_id = NULL WHERE domain_id = ? AND tenant_partner_id = ?';
    await this.database.write(sql, [domainId, partnerId]);
  }

  override async forget(partnerId: number): Promise<void> {
    await this.database.write(
      `UPDATE relay_tenant SET arn = NULL, configuration_set = NULL,
              is_asked = CASE WHEN wanted = 'paused' THEN 1 ELSE is_asked END WHERE partner_id = ?`,
      [partnerId],
    );
    await this.inPieces('tenant_partner_id = NULL', 'partner_id = ? AND tenant_partner_id IS NOT NULL', partnerId);
    await this.planJoins(partnerId);
  }

  override planJoins(partnerId: number): Promise<void> {
    const isLeftOut = "partner_id = ? AND status = 'verified' AND tenant_partner_id IS NULL AND align_at > 0";
    return this.inPieces('align_at = 0', isLeftOut, partnerId);
  }

  private async inPieces(change: string, condition: string, partnerId: number): Promise<void> {
    let changed = ROWS_AT_ONCE;
    while (changed === ROWS_AT_ONCE) {
      const { affected } = await this.database.write(
        `UPDATE verification SET ${change} WHERE domain_id IN (SELECT domain_id FROM (
           SELECT domain_id FROM verification WHERE ${condition} LIMIT ?) AS found)`,
        [partnerId, ROWS_AT_ONCE],
      );
      changed = affected;
    }
  }

  override async noteMove(
    { id, name }: { id: number; name: DomainName },
    formerPartnerId: number,
    leaveAt: Date,
  ): Promise<boolean> {
    await this.endJoin(formerPartnerId, name, leaveAt);
    const { affected } = await this.database.write(
      'UPDATE verification SET tenant_partner_id = NULL, align_at = 0 WHERE domain_id = ? AND align_at IS NOT NULL',
      [id],
    );
    return affected > 0;
  }

  override async noteDeletion(identity: DomainName, leaveAt: Date): Promise<void> {
    await this.endJoins('name = ? AND leave_at IS NULL', [identity], leaveAt);
  }

  override async dueToLeave(now: Date, limit: number): Promise<Leaving[]> {
    const due = 'i.leave_at <= ?';
    const rows = await this.database.read(
      `SELECT i.partner_id, i.name, t.name AS tenant_name, t.arn, CASE WHEN ${CAME_BACK} THEN 1 ELSE 0 END AS stays
         FROM relay_tenant_identity i JOIN relay_tenant t ON t.partner_id = i.partner_id
        WHERE ${due} AND t.arn IS NOT NULL ORDER BY i.leave_at, i.partner_id, i.name LIMIT ?`,
      [now.getTime(), limit],
    );
    const leaving: Leaving[] = [];
    for (const { partner_id, name, tenant_name, arn, stays } of rows) {
      const identity = name as DomainName;
      if (Number(stays) === 1) await this.beginJoin(Number(partner_id), identity);
      else leaving.push({ partnerId: Number(partner_id), identity, tenant: toTenant(tenant_name, arn) });
    }
    return leaving;
  }

  override async noteLeft({ partnerId, identity }: Leaving, now: Date): Promise<void> {
    await this.database.write('DELETE FROM relay_tenant_identity WHERE partner_id = ? AND name = ? AND leave_at <= ?', [
      partnerId,
      identity,
      now.getTime(),
    ]);
  }

  override async noteEmpty(now: Date): Promise<void> {
    await this.database.write(
      `UPDATE relay_tenant SET empty_since = CASE WHEN ${HAS_VERIFIED} THEN NULL ELSE COALESCE(empty_since, ?) END
        WHERE (empty_since IS NULL) <> ${HAS_VERIFIED}`.replaceAll('t.partner_id', 'relay_tenant.partner_id'),
      [now.getTime()],
    );
  }

  override async takeEmpty(emptyBefore: Date, limit: number): Promise<{ partnerId: number; tenant: ProviderTenant }[]> {
    const rows = await this.database.read(
      `SELECT t.partner_id, t.name, t.arn FROM relay_tenant t
        WHERE t.problem = 'leaving' OR (t.empty_since <= ? AND NOT ${HAS_VERIFIED}) ORDER BY t.empty_since LIMIT ?`,
      [emptyBefore.getTime(), limit],
    );
    const taken: { partnerId: number; tenant: ProviderTenant }[] = [];
    for (const { partner_id: id, name, arn } of rows) {
      const partnerId = Number(id);
      await this.database.write(
        `UPDATE relay_tenant SET arn = NULL, problem = 'leaving', retry_at = NULL
          WHERE partner_id = ? AND NOT ${HAS_VERIFIED}`.replaceAll('t.partner_id', 'relay_tenant.partner_id'),
        [partnerId],
      );
      const now = await this.find(partnerId);
      if (now?.problem === 'leaving') taken.push({ partnerId, tenant: toTenant(name, arn ?? '') });
    }
    return taken;
  }

  override async remove(partnerId: number): Promise<void> {
    await this.database.write('DELETE FROM relay_tenant_identity WHERE partner_id = ?', [partnerId]);
    await this.database.write("DELETE FROM relay_tenant WHERE partner_id = ? AND problem = 'leaving'", [partnerId]);
  }

  override async dueToMake(
    { configurationSet, policy }: Pick<Tenant, 'configurationSet' | 'policy'>,
    now: Date,
    limit: number,
  ): Promise<number[]> {
    const rows = await this.database.read(
      `SELECT partner_id FROM relay_tenant WHERE retry_at <= ?
           OR (problem IS NULL AND arn IS NOT NULL AND (COALESCE(policy, '') <> ? OR COALESCE(configuration_set, '') <> ?))
        ORDER BY retry_at, partner_id LIMIT ?`,
      [now.getTime(), policy ?? '', configurationSet ?? '', limit],
    );
    return rows.map((row) => Number(row.partner_id));
  }

  override async made(afterPartnerId: number, limit: number): Promise<MadeTenantRow[]> {
    const rows = await this.database.read(
      `SELECT ${this.table.columns('t')} FROM relay_tenant t WHERE t.partner_id > ? AND t.arn IS NOT NULL
        ORDER BY t.partner_id LIMIT ?`,
      [afterPartnerId, limit],
    );
    return rows.flatMap((row) => {
      const { partnerId, arn, status, ownStatus, readAt } = this.table.hydrate(row, 't');
      return arn === null ? [] : [{ partnerId, arn, status, ownStatus, readAt }];
    });
  }

  override async problems(): Promise<TenantProblems> {
    const found = { foreign: 0, full: 0, unavailable: 0 };
    const rows = await this.database.read(
      'SELECT problem, COUNT(*) AS tenants FROM relay_tenant WHERE problem IS NOT NULL GROUP BY problem',
    );
    for (const { problem, tenants } of rows) {
      if (Object.hasOwn(found, String(problem))) found[problem as keyof typeof found] = Number(tenants);
    }
    return found;
  }

  override async endPauses(): Promise<number> {
    const { affected } = await this.database.write(
      "UPDATE relay_tenant SET status = 'active', status_since = NULL, cause = NULL WHERE status = 'paused'",
    );
    return affected;
  }
}

function toTenant(name: unknown, arn: unknown): ProviderTenant {
  return { name: String(name), arn: String(arn) };
}
