import { EVENTS_ONLY, type EventType } from '@mailstead/core/audit/event-types';
import { EventFeed, type FeedBounds, type FeedEvent, type FeedFilter } from '@mailstead/core/events/event-feed';
import { needs } from '@mailstead/core/needs';
import type { Search } from '@mailstead/core/search';
import { UnitOfWork } from '@mailstead/core/unit-of-work';
import { AuditRecord } from '../audit/audit-log.js';
import { Database, placeholders, type Row } from '../driver/database.js';
import { Filter } from '../driver/filter.js';
import { Table } from '../driver/table.js';
import { searchOf } from '../finding/id-search.js';
import { eventPlan } from './event-plan.js';

/** With the newest position before the gap when a restore skipped the last ones, and no event came since. */
const BOUNDS = `SELECT p.first_kept, p.last_position,
  (SELECT g.after_position FROM event_gap g WHERE g.last_position = p.last_position) AS before_gap
  FROM event_position p WHERE p.id = 1`;

/** Plain SQL: the pages of all streams of a process. */
@needs(Database, UnitOfWork)
export class SqlEventFeed extends EventFeed {
  private readonly table: Table<AuditRecord>;

  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
  ) {
    super();
    this.table = new Table(database, AuditRecord);
  }

  override search(filter: FeedFilter): Search<FeedEvent> {
    return searchOf(
      () => eventPlan(this.database, filter),
      this.database,
      async (positions, page) => {
        const rows = await this.database.read(
          `SELECT ${this.table.columns('l')} FROM audit_log l${this.database.dialect.byIndex('ix_audit_position')}
           WHERE l.position IN (${placeholders(positions)}) ORDER BY ${Filter.orderOf('l.position', page)}`,
          positions,
        );
        return rows.map((row) => eventOf(this.table.hydrate(row, 'l')));
      },
    );
  }

  override async bounds(): Promise<FeedBounds> {
    const [row] = await this.database.read(BOUNDS);
    return boundsOf(row);
  }

  override async isKnown(position: number): Promise<boolean> {
    const [row] = await this.database.read(
      `SELECT b.first_kept, b.last_position, b.before_gap,
              (SELECT COUNT(*) FROM event_gap WHERE after_position < ? AND last_position >= ?) AS skipped
         FROM (${BOUNDS}) b`,
      [position, position],
    );
    const { first, last } = boundsOf(row);
    return position >= first - 1 && position <= last && Number(row?.skipped) === 0;
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

function boundsOf(row: Row | undefined): FeedBounds {
  return { first: Number(row?.first_kept), last: Number(row?.before_gap ?? row?.last_position) };
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
