import { utcDay, utcMonth } from '@mailstead/core/clock';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import { needs } from '@mailstead/core/needs';
import { periodAt } from '@mailstead/core/outbound/outbound-period';
import {
  type HistoryRow,
  type LiveCounters,
  type OutboundDay,
  OutboundReader,
  type PartnerSent,
  type SenderRow,
} from '@mailstead/core/outbound/outbound-reader';
import type { Page } from '@mailstead/core/page';
import type { PartnerRows, PartnerScope } from '@mailstead/core/partners/partner-scope';
import { Database, placeholders, type Row } from '../driver/database.js';
import { Filter, NO_ID } from '../driver/filter.js';
import { readAllDays, readDomainDays, readPartnerDays, readPartnerSent } from './outbound-days.js';
import { COUNTER_SELECT, toCounter, toEpochs } from './outbound-rows.js';
import { readWindow } from './outbound-window.js';

@needs(Database)
export class SqlOutboundReader extends OutboundReader {
  constructor(private readonly database: Database) {
    super();
  }

  override async live(domainId: number, bounceWindowStart: Date | null, now: Date): Promise<LiveCounters> {
    const columns = COUNTER_SELECT.split(', ')
      .map((column) => `c.${column}`)
      .join(', ');
    const [row] = await this.database.read(
      `SELECT ${columns}, e.day_epoch AS current_day_epoch, e.month_epoch AS current_month_epoch, e.month_started_at
         FROM outbound_epoch e LEFT JOIN outbound_counter c ON c.domain_id = ? WHERE e.id = 1`,
      [domainId],
    );
    const window = await readWindow(this.database, domainId, bounceWindowStart, now);
    if (row === undefined || row.domain_id === null)
      return { sentToday: 0, forwardedToday: 0, sentThisMonth: 0, bytesThisMonth: 0, bytesInThisMonth: 0, window };
    const counter = toCounter(row);
    const period = periodAt(now, currentEpochs(row));
    return {
      sentToday: counter.sentTodayIn(period),
      forwardedToday: counter.forwardedTodayIn(period),
      sentThisMonth: counter.sentMonthIn(period),
      bytesThisMonth: counter.bytesMonthIn(period),
      bytesInThisMonth: counter.bytesInMonthIn(period),
      window,
    };
  }

  override async senders(
    domainId: number,
    scope: PartnerScope,
    { from, limit }: { from: number; limit: number },
    now: Date,
  ): Promise<SenderRow[]> {
    const filter = new Filter('s.domain_id = ? AND s.day = ? AND s.sent > 0', domainId, utcDay(now));
    if (scope !== 'all') addNamesInScope(filter, scope);
    const rows = await this.database.read(
      `SELECT s.sender, s.sent, m.outbound_daily_limit
         FROM outbound_sender s
         JOIN outbound_epoch e ON e.id = 1 AND e.day_epoch = s.day_epoch
         LEFT JOIN mailbox m ON m.email = s.sender
          AND EXISTS (SELECT 1 FROM domain own JOIN domain of ON of.partner_id = own.partner_id
                       WHERE own.id = s.domain_id AND of.id = m.domain_id)
        WHERE ${filter.sql}
        ORDER BY s.sent DESC, s.sender LIMIT ? OFFSET ?`,
      [...filter.parameters, limit, from],
    );
    return rows.map((row) => ({
      sender: String(row.sender),
      sentToday: Number(row.sent),
      outboundDailyLimit: row.outbound_daily_limit === null ? null : Number(row.outbound_daily_limit),
    }));
  }

  override async history(
    domainId: number,
    { before, limit }: { before: number; limit: number },
  ): Promise<HistoryRow[]> {
    const rows = await this.database.read(
      `SELECT id, period_start, period_end, sent, bytes, bytes_in, bounces, complaints
         FROM outbound_history${this.database.dialect.byIndex('ix_outbound_history_domain')} WHERE domain_id = ? AND id < ? ORDER BY id DESC LIMIT ?`,
      [domainId, before, limit],
    );
    return rows.map((row) => ({
      id: Number(row.id),
      periodStart: new Date(Number(row.period_start)),
      periodEnd: new Date(Number(row.period_end)),
      sent: Number(row.sent),
      bytes: Number(row.bytes),
      bytesIn: Number(row.bytes_in),
      bounces: Number(row.bounces),
      complaints: Number(row.complaints),
    }));
  }

  override async deletedCounters(name: DomainName): Promise<number | null> {
    const [row] = await this.database.read(
      "SELECT counters_id FROM tombstone WHERE name = ? AND kind = 'domain' ORDER BY deleted_at DESC, id DESC LIMIT 1",
      [name],
    );
    return row?.counters_id === null || row === undefined ? null : Number(row.counters_id);
  }

  override days(domainId: number, now: Date): Promise<OutboundDay[]> {
    return readDomainDays(this.database, domainId, now);
  }

  override partnerDays(partnerId: number, now: Date): Promise<OutboundDay[]> {
    return readPartnerDays(this.database, partnerId, now);
  }

  override allDays(now: Date): Promise<OutboundDay[]> {
    return readAllDays(this.database, now);
  }

  override async withLimits(
    domainId: number | null,
    { after, limit }: Page,
    now: Date,
  ): Promise<{ id: number; name: DomainName }[]> {
    const rows = await (domainId === null
      ? this.database.read(
          `SELECT d.id, d.name FROM outbound_counter c JOIN domain d ON d.id = c.domain_id
            WHERE c.domain_id > ? AND c.month = ? ORDER BY c.domain_id LIMIT ?`,
          [after, utcMonth(now), limit],
        )
      : this.database.read(
          `SELECT l.id, l.name
             FROM (SELECT id, name FROM domain WHERE id = ? UNION ALL SELECT id, name FROM domain WHERE parent_id = ?) AS l
            WHERE l.id > ? ORDER BY l.id LIMIT ?`,
          [domainId, domainId, after, limit],
        ));
    return rows.map((row) => ({ id: Number(row.id), name: row.name as DomainName }));
  }

  override partnerSent(partnerId: number, now: Date): Promise<PartnerSent> {
    return readPartnerSent(this.database, partnerId, now);
  }
}

function currentEpochs(row: Row) {
  return toEpochs({
    day_epoch: row.current_day_epoch,
    month_epoch: row.current_month_epoch,
    month_started_at: row.month_started_at,
  });
}

/** A domain may have moved today, and mailboxes of other domains send through it: their names are not for everyone. */
function addNamesInScope(filter: Filter, { partnerId, domainIds }: PartnerRows): void {
  const name = "SUBSTR(s.sender, INSTR(s.sender, '@') + 1)";
  if (domainIds === null) {
    filter.where(`NOT EXISTS (SELECT 1 FROM domain o WHERE o.name = ${name} AND o.partner_id <> ?)`, partnerId);
    return;
  }
  const ids = [NO_ID, ...domainIds];
  filter.where(`${name} IN (SELECT o.name FROM domain o WHERE o.id IN (${placeholders(ids)}))`, ...ids);
}
