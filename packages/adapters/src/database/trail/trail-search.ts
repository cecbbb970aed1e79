import { isInScope, type PartnerScope } from '@mailstead/core/partners/partner-scope';
import { trailDayOf } from '@mailstead/core/trail/trail-options';
import { mailboxOf, timeInId, timeOfId } from '@mailstead/core/trail/trail-row';
import type { FoundTrail, ListedTrail, TrailFilter } from '@mailstead/core/trail/trail-store';
import type { Database, Parameter } from '../driver/database.js';
import { LISTED_COLUMNS, toListed } from './trail-rows.js';
import { daysIn, type TrailIndex, type TrailPart, type TrailTables } from './trail-tables.js';

/** Rows that one statement reads when each is checked. */
const CHECKED_AT_ONCE = 500;

interface Equality {
  index: TrailIndex | null;
  columns: [column: string, value: Parameter][];
}

/**
 * Walks through the days, the newest first, along the index of one condition, and checks the others. Of a recipient and
 * a Message-ID, which rows of other partners may have too, the index has the partner.
 */
export class TrailSearch {
  constructor(
    private readonly database: Database,
    private readonly tables: TrailTables,
    private readonly scope: PartnerScope,
    private readonly filter: TrailFilter,
  ) {}

  async next(before: string | null, limit: number): Promise<FoundTrail> {
    const { since, until } = this.filter;
    const end = timeOfId(until);
    const upper = before !== null && before < end ? before : end;
    const lastMoment = timeInId(upper) ?? new Date(until.getTime() - 1);
    const days = await this.tables.daysOf({ first: trailDayOf(since), last: trailDayOf(lastMoment) });
    const equality = this.equality();
    const atOnce = this.isChecked(equality) ? Math.max(CHECKED_AT_ONCE, limit) : limit;
    const found: FoundTrail = { rows: [], next: null, looked: 0, hasOwn: false };
    for (const part of days) {
      const rows = await this.read(part, equality, upper, atOnce);
      found.looked += rows.length;
      found.hasOwn ||= rows.some((row) => this.scope === 'all' || row.partnerId === this.scope.partnerId);
      for (const row of rows) {
        if (!this.matches(row)) continue;
        found.rows.push(row);
        if (found.rows.length === limit) return { ...found, next: row.id };
      }
      if (rows.length === atOnce) return { ...found, next: rows.at(-1)?.id ?? null };
    }
    return found;
  }

  private async read(part: TrailPart, { index, columns }: Equality, upper: string, limit: number) {
    const day = daysIn(part);
    const conditions = [day.sql, ...columns.map(([column]) => `${column} = ?`), 'id < ?', 'id >= ?'];
    const rows = await this.database.read(
      `SELECT ${LISTED_COLUMNS} FROM ${part.table}${index === null ? '' : part.by(index)}
        WHERE ${conditions.join(' AND ')} ORDER BY id DESC LIMIT ?`,
      [...day.parameters, ...columns.map(([, value]) => value), upper, timeOfId(this.filter.since), limit],
    );
    return rows.map(toListed);
  }

  /** The condition whose index has the fewest rows. */
  private equality(): Equality {
    const { messageId, recipient, mailbox, domain, isShared = false } = this.filter;
    const partner: Equality['columns'] = this.scope === 'all' ? [] : [['partner_id', this.scope.partnerId]];
    if (messageId !== undefined) return { index: 'message', columns: [['message_id', messageId], ...partner] };
    if (recipient !== undefined) return { index: 'recipient', columns: [['recipient', recipient], ...partner] };
    if (isShared && partner.length > 0) return { index: 'partner', columns: partner };
    if (mailbox !== undefined) return { index: 'mailbox', columns: [['mailbox', mailbox]] };
    if (domain !== undefined) return { index: 'domain', columns: [['domain', domain]] };
    return partner.length === 0 ? { index: null, columns: [] } : { index: 'partner', columns: partner };
  }

  /** Whether rows of the index may be none that are looked for. */
  private isChecked({ columns }: Equality): boolean {
    const { since: _, until: __, isShared: ___, ...conditions } = this.filter;
    const inIndex = new Set(columns.map(([column]) => column));
    const given = Object.values(conditions).filter((value) => value !== undefined).length;
    const isLimited = this.scope !== 'all' && (this.scope.domainIds !== null || !inIndex.has('partner_id'));
    return isLimited || given > columns.filter(([column]) => column !== 'partner_id').length;
  }

  private matches(row: ListedTrail): boolean {
    const { domain, mailbox, recipient, messageId, direction, state } = this.filter;
    const isGiven = (wanted: string | undefined, value: string | null) => wanted === undefined || wanted === value;
    return (
      isInScope(this.scope, { id: row.domainId, partnerId: row.partnerId }) &&
      isGiven(domain, row.domain) &&
      isGiven(mailbox, mailboxOf(row)) &&
      isGiven(recipient, row.recipient) &&
      isGiven(messageId, row.messageId) &&
      isGiven(direction, row.direction) &&
      isGiven(state, row.state)
    );
  }
}
