import type { Alias } from '@mailstead/core/aliases/alias';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import { AppError } from '@mailstead/core/errors';
import { needs } from '@mailstead/core/needs';
import type { Page } from '@mailstead/core/page';
import type { PartnerRef } from '@mailstead/core/partners/partner';
import type { PartnerScope } from '@mailstead/core/partners/partner-scope';
import type { AliasFacts } from '@mailstead/core/restoration/decide-aliases';
import type { DeletedItem } from '@mailstead/core/restoration/deleted-item';
import { DeletedItems, type RestoredMailboxes } from '@mailstead/core/restoration/deleted-items';
import type { Search } from '@mailstead/core/search';
import { addToCounts } from '../domains/domain-statements.js';
import { Database, placeholders, type Row } from '../driver/database.js';
import { isDuplicateError } from '../driver/database-error.js';
import { Filter, NO_ID } from '../driver/filter.js';
import { searchOf } from '../finding/id-search.js';
import { deletedAliases, readAliasFacts } from './alias-facts.js';
import { deletedPlan } from './deleted-plan.js';
import { restoreAliasRows, restoreDomainRow, restoreMailboxRows } from './restore-statements.js';

const COLUMNS = `t.id, t.kind, t.name, t.partner_id, t.domain_id, t.actor_kind, t.deleted_at, t.expires_at, t.mailboxes, t.heir_id,
  t.other_holder_at, t.restored_at, t.closed_at, t.erased_at, (SELECT p.ref FROM partner p WHERE p.id = t.partner_id) AS partner_ref`;
@needs(Database)
export class SqlDeletedItems extends DeletedItems {
  constructor(private readonly database: Database) {
    super();
  }

  override search(
    scope: PartnerScope,
    filter: { partnerRef?: PartnerRef | undefined; domain?: DomainName | undefined },
    now: Date,
  ): Search<DeletedItem> {
    const aliases = aliasesIn(scope);
    return searchOf(
      () => deletedPlan(this.database, scope, filter, now),
      this.database,
      async (ids, at) => {
        const rows = await this.database.read(
          `SELECT ${COLUMNS}, ${aliases.sql} AS aliases FROM tombstone t WHERE t.id IN (${placeholders(ids)}) ORDER BY ${Filter.orderOf('t.id', at)}`,
          [...aliases.parameters, ...ids],
        );
        return rows.map(toItem);
      },
    );
  }

  override find(scope: PartnerScope, id: number): Promise<DeletedItem | null> {
    return this.one(scope, id, '');
  }

  override lock(scope: PartnerScope, id: number): Promise<DeletedItem | null> {
    return this.one(scope, id, this.database.dialect.forUpdate);
  }

  override async restoreDomain(item: DeletedItem, restoredAt: Date): Promise<void> {
    try {
      await restoreDomainRow(this.database, item, restoredAt);
    } catch (error) {
      throw isDuplicateError(error) ? new AppError('domain_exists', { cause: error }) : error;
    }
  }

  override restoreMailboxes(item: DeletedItem, values: RestoredMailboxes): Promise<number> {
    return restoreMailboxRows(this.database, item, values);
  }

  override aliases(itemId: number, page: Page): Promise<Alias[]> {
    return deletedAliases(this.database, itemId, page);
  }

  override aliasFacts(partnerId: number, aliases: readonly Alias[]): Promise<AliasFacts> {
    return readAliasFacts(this.database, partnerId, aliases);
  }

  override async restoreAliases(item: DeletedItem, aliases: readonly Alias[], restoredAt: Date): Promise<void> {
    if (aliases.length === 0) return;
    const ids = aliases.map((alias) => alias.id);
    await this.relink(item.id, aliases);
    await restoreAliasRows(this.database, item, ids, restoredAt);
    const perDomain = new Map<number, number>();
    for (const { domainId } of aliases) perDomain.set(domainId, (perDomain.get(domainId) ?? 0) + 1);
    for (const [domainId, count] of [...perDomain].sort(([left], [right]) => left - right)) {
      await addToCounts(this.database, domainId, { aliases: count });
    }
  }

  override async dropAliases({ id }: DeletedItem, aliases: readonly Alias[]): Promise<void> {
    if (aliases.length === 0) return;
    const ids = aliases.map((alias) => alias.id);
    await this.database.write(`DELETE FROM deleted_alias WHERE tombstone_id = ? AND id IN (${placeholders(ids)})`, [
      id,
      ...ids,
    ]);
  }

  override async noteRestored({ id, kind, domainId }: DeletedItem, at: Date, leftOut: number): Promise<void> {
    await this.database.write(
      'UPDATE tombstone SET restored_at = ?, heir_id = ?, counters_id = NULL, mailboxes = 0, aliases = ? WHERE id = ?',
      [at.getTime(), kind === 'domain' ? domainId : null, leftOut, id],
    );
  }

  override async close({ id }: DeletedItem, at: Date): Promise<void> {
    await this.database.write('UPDATE tombstone SET closed_at = ?, expires_at = deleted_at WHERE id = ?', [
      at.getTime(),
      id,
    ]);
  }

  /** Few aliases have another mailbox than before: one that was created anew with the same address. */
  private async relink(itemId: number, aliases: readonly Alias[]): Promise<void> {
    const rows = await this.database.read(
      `SELECT id, destination_mailbox_id FROM deleted_alias WHERE tombstone_id = ? AND id IN (${placeholders(aliases)})`,
      [itemId, ...aliases.map(({ id }) => id)],
    );
    const before = new Map(rows.map((row) => [Number(row.id), row.destination_mailbox_id]));
    for (const { id, destinationMailboxId } of aliases) {
      const former = before.get(id) ?? null;
      if ((former === null ? null : Number(former)) === destinationMailboxId) continue;
      await this.database.write(
        'UPDATE deleted_alias SET destination_mailbox_id = ? WHERE tombstone_id = ? AND id = ?',
        [destinationMailboxId, itemId, id],
      );
    }
  }

  private async one(scope: PartnerScope, id: number, lock: string): Promise<DeletedItem | null> {
    const filter = new Filter("t.kind <> 'move' AND t.id = ?", id).inScope(scope, 't.partner_id', 't.domain_id');
    const [row] = await this.database.read(
      `SELECT ${COLUMNS}, t.aliases FROM tombstone t WHERE ${filter.sql}${lock}`,
      filter.parameters,
    );
    return row === undefined ? null : toItem(row);
  }
}

/** The number of aliases in the scope; those of other domains may have delivered to the mailbox. */
function aliasesIn(scope: PartnerScope): { sql: string; parameters: readonly number[] } {
  if (scope === 'all' || scope.domainIds === null) return { sql: 't.aliases', parameters: [] };
  const ids = [NO_ID, ...scope.domainIds];
  return {
    sql: `(SELECT COUNT(*) FROM deleted_alias a WHERE a.tombstone_id = t.id AND a.domain_id IN (${placeholders(ids)}))`,
    parameters: ids,
  };
}

function toItem(row: Row): DeletedItem {
  const time = (value: unknown) => (value === null ? null : new Date(Number(value)));
  return {
    id: Number(row.id),
    kind: row.kind as DeletedItem['kind'],
    name: String(row.name),
    partnerId: Number(row.partner_id),
    partnerRef: row.partner_ref === '' ? null : (row.partner_ref as PartnerRef | null),
    domainId: Number(row.domain_id),
    deletedBy: row.actor_kind as DeletedItem['deletedBy'],
    deletedAt: new Date(Number(row.deleted_at)),
    expiresAt: new Date(Number(row.expires_at)),
    mailboxes: Number(row.mailboxes),
    aliases: Number(row.aliases),
    heirId: row.heir_id === null ? null : Number(row.heir_id),
    otherHolderAt: time(row.other_holder_at),
    restoredAt: time(row.restored_at),
    closedAt: time(row.closed_at),
    erasedAt: time(row.erased_at),
  };
}
