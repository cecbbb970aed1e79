import { queryOptions } from '@tanstack/react-query';
import { change } from './change.js';
import { api } from './client.js';
import { keys } from './keys.js';
import type { UsageRow } from './shapes.js';
import { streamedRows } from './streamed-rows.js';
import { UsageSums } from './usage-sums.js';

/** A month of all partners may have 100,000 rows. The screen shows the first of them, and the sums of all. */
export const SHOWN_ROWS = 200;

/** What the screen keeps of a month. */
export interface MonthOfUsage {
  rows: UsageRow[];
  sums: UsageSums;
}

/**
 * The usage of a month: of the caller's partner, of all partners (operators), or of the named one (operators).
 *
 * @param month `YYYY-MM`
 */
export function usageQuery(month: string, partnerRef: string | undefined) {
  return queryOptions({
    queryKey: keys.usage(month, partnerRef),
    queryFn: async ({ signal }): Promise<MonthOfUsage> => {
      const read: MonthOfUsage = { rows: [], sums: new UsageSums() };
      const { data } = await readMonth(month, partnerRef, { parseAs: 'stream', signal });
      if (data === null || data === undefined) return read;
      for await (const row of streamedRows<UsageRow>(data)) {
        if (read.rows.length < SHOWN_ROWS) read.rows.push(row);
        read.sums.add(row);
      }
      return read;
    },
    // Not compared with what was read before: the sums are an object with methods.
    structuralSharing: false,
  });
}

/** The whole month as the API's CSV: it changes nothing, but runs on a click, as a change does. */
export const usageCsv = (month: string, partnerRef: string | undefined) =>
  change({
    run: async () => {
      const { data } = await readMonth(month, partnerRef, { parseAs: 'blob', headers: { Accept: 'text/csv' } });
      return data as Blob;
    },
    touches: [],
  });

function readMonth<Parsed extends 'stream' | 'blob'>(
  month: string,
  partnerRef: string | undefined,
  options: { parseAs: Parsed; signal?: AbortSignal; headers?: Record<string, string> },
) {
  const query = { month };
  return partnerRef === undefined
    ? api.GET('/usage', { params: { query }, ...options })
    : api.GET('/partners/{partner_ref}/usage', { params: { path: { partner_ref: partnerRef }, query }, ...options });
}
