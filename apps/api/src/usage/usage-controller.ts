import type { IncomingHttpHeaders } from 'node:http';
import { Clock, utcDay, utcMonth } from '@mailstead/core/clock';
import { AppError, invalidField } from '@mailstead/core/errors';
import { needs } from '@mailstead/core/needs';
import type { Actor } from '@mailstead/core/operators/actor';
import { PartnerRepository } from '@mailstead/core/partners/partner-repository';
import { oldestMonthWithDays } from '@mailstead/core/usage/usage-month';
import { type UsageQuery, UsageReport } from '@mailstead/core/usage/usage-report';
import { CSV, prefersCsv, streamedCsv } from '../http/csv.js';
import { partnerRefParam } from '../http/parse.js';
import { type ReadChunks, StreamedList, type StreamedText } from '../http/responses.js';
import { type Controller, type Route, route } from '../http/route.js';
import { MonthQuery, presentUsage, USAGE_COLUMNS, UsageListQuery, UsageRowResponse } from './usage-dto.js';

const ROWS =
  'A month has a row for each domain, partner and plan, deleted and moved domains included; it closes on the 4th of the next month, 00:00 UTC, and never changes afterwards. A day of a name counts for the partner that held it last on that day, under the plan at the end of the day. Days that have not ended are not included. With `Accept: text/csv` the list is CSV (RFC 4180, UTF-8).';

/** Routes for what domains used, for invoices. */
@needs(UsageReport, PartnerRepository, Clock)
export class UsageController implements Controller {
  constructor(
    private readonly report: UsageReport,
    private readonly partners: PartnerRepository,
    private readonly clock: Clock,
  ) {}

  routes(): Route[] {
    return [
      route({
        method: 'get',
        path: '/usage',
        access: 'client',
        scopes: ['billing'],
        wholePartner: true,
        summary: 'List what each domain used in a month, or on a day that has ended',
        description: `A client lists its own domains, and months only. The days of a month that has been closed for three months are no longer kept: 410. ${ROWS}`,
        errors: ['master_token_required', 'usage_days_gone'],
        query: UsageListQuery,
        alsoMediaTypes: [CSV],
        response: [UsageRowResponse],
        run: ({ actor, query, headers }) => {
          const period = this.periodOf(actor, query);
          return this.list({ period, partnerId: actor.kind === 'client' ? actor.partnerId : null }, actor, headers);
        },
      }),
      route({
        method: 'get',
        path: '/partners/:partner_ref/usage',
        access: 'master',
        scopes: ['billing'],
        summary: 'List what each domain of a partner used in a month',
        description: ROWS,
        query: MonthQuery,
        alsoMediaTypes: [CSV],
        response: [UsageRowResponse],
        run: async ({ actor, params, query, headers }) => {
          const ref = partnerRefParam(params.partner_ref);
          const period = { month: this.monthField(query.month) };
          const partner = await this.partners.find(ref);
          if (partner === null) throw new AppError('partner_not_found');
          return this.list({ period, partnerId: partner.id }, actor, headers);
        },
      }),
    ];
  }

  private periodOf(actor: Actor, { month, day }: UsageListQuery): UsageQuery['period'] {
    if (day !== undefined && actor.kind === 'client') throw new AppError('master_token_required');
    if (month !== undefined && day !== undefined) throw invalidField('day', 'must not be given together with month');
    if (day !== undefined) return { day: this.dayField(day) };
    if (month !== undefined) return { month: this.monthField(month) };
    throw invalidField('month', 'is required: YYYY-MM, or day=YYYY-MM-DD');
  }

  /** A month that has not begun is refused, because an empty list would read as an invoice of nothing. */
  private monthField(month: string): string {
    const present = utcMonth(this.clock.now());
    if (month > present) throw invalidField('month', `must not be after the present UTC month, ${present}`);
    return month;
  }

  private dayField(day: string): string {
    const today = utcDay(this.clock.now());
    if (day >= today) throw invalidField('day', `must be a day that has ended, before ${today} (UTC)`);
    if (day < oldestMonthWithDays(this.clock.now())) throw new AppError('usage_days_gone');
    return day;
  }

  private list(query: UsageQuery, actor: Actor, { accept }: IncomingHttpHeaders): StreamedList | StreamedText {
    const { report } = this;
    const isClient = actor.kind === 'client';
    const read: ReadChunks = async function* (chunkRows) {
      for (let after: string | null = ''; after !== null; ) {
        const { rows, next } = await report.read(query, after, chunkRows);
        yield { rows: rows.map((row) => presentUsage(row, isClient)), next, isLast: next === null };
        after = next;
      }
    };
    return prefersCsv(accept) ? streamedCsv(USAGE_COLUMNS, read) : new StreamedList(read);
  }
}
