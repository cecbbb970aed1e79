import { EVENTS_ONLY, type EventType } from '@mailstead/core/audit/event-types';
import { EventFeed, type FeedBounds, type FeedEvent, type FeedFilter } from '@mailstead/core/events/event-feed';
import type { Page } from '@mailstead/core/page';
import type { PartnerScope } from '@mailstead/core/partners/partner-scope';
import type { UnitOfWork } from '@mailstead/core/unit-of-work';
import { AuditRecord } from '../audit-log.js';
import { type Database, placeholders } from '../driver/database.js';
import { Filter } from '../driver/filter.js';
import { Table } from '../driver/table.js';

/** Plain SQL: the pages of all streams of a process. */
export class TypeormEventFeed extends EventFeed {
  private readonly table: Table<AuditRecord>;

  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
  ) {
    super();
    this.table = new Table(database, AuditRecord);
  }

  override async page({ scope, partnerRef, types, domain }: FeedFilter, page: Page): Promise<FeedEvent[]> {
    const where = Filter.ofPage('l.position', page)
      .and('l.partner_id = (SELECT id FROM partner WHERE ref = ?)', partnerRef)
      .and('l.domain = ?', domain)
      .among('l.event_type', types);
    addScope(where, scope);
    const rows = await this.database.read(
      `SELECT ${this.table.columns('l')} FROM audit_log l
       WHERE ${where.sql} AND l.event_type IS NOT NULL AND l.position >= (SELECT first_kept FROM event_position WHERE id = 1)
       ORDER BY ${Filter.orderOf('l.position', page)} LIMIT ?`,
      [...where.parameters, page.limit],
    );
    return rows.map((row) => eventOf(this.table.hydrate(row, 'l')));
  }

  override async bounds(): Promise<FeedBounds> {
    const [row] = await this.database.read('SELECT first_kept, last_position FROM event_position WHERE id = 1');
    return { first: Number(row?.first_kept), last: Number(row?.last_position) };
  }

  override dropOld(before: Date, limit: number): Promise<number> {
    return this.unitOfWork.run(async () => {
      const rows = await this.database.read(
        `SELECT id, position, changed_at, action FROM audit_log
         WHERE position >= (SELECT first_kept FROM event_position WHERE id = 1) ORDER BY position LIMIT ?`,
        [limit],
      );
      const newer = rows.findIndex(({ changed_at }) => Number(changed_at) >= before.getTime());
      const old = newer === -1 ? rows : rows.slice(0, newer);
      const last = old.at(-1);
      if (last === undefined) return 0;
      await this.database.write('UPDATE event_position SET first_kept = ? WHERE id = 1 AND first_kept < ?', [
        Number(last.position) + 1,
        Number(last.position) + 1,
      ]);
      const eventsOnly: readonly unknown[] = EVENTS_ONLY;
      const ids = old.filter(({ action }) => eventsOnly.includes(action)).map(({ id }) => Number(id));
      if (ids.length > 0) {
        await this.database.write(`DELETE FROM audit_log WHERE id IN (${placeholders(ids)})`, ids);
      }
      return old.length;
    });
  }
}

/**
 * The partner of the row and, for a caller that is limited to some domains, their rows. Their names are there for the index
 * by name; a row of the same name that was made anew has another id.
 */
function addScope(where: Filter, scope: PartnerScope): void {
  if (scope === 'all') return;
  where.inScope(scope, 'l.partner_id', 'l.domain_id');
  const { domainIds } = scope;
  if (domainIds !== null && domainIds.length > 0) {
    where.where(`l.domain IN (SELECT name FROM domain WHERE id IN (${placeholders(domainIds)}))`, ...domainIds);
  }
}

function eventOf(row: AuditRecord): FeedEvent {
  const { position, eventType, at, actorKind, actor, partnerId, partnerRef, domainId, domain, subject } = row;
  return {
    id: position as number,
    type: eventType as EventType,
    at,
    actorKind,
    actor,
    partnerId,
    partnerRef,
    domainId,
    domain,
    subject,
    before: row.before,
    after: row.after,
  };
}
