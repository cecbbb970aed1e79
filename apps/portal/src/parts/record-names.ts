/** What people call the records that the check of the DNS compares. */
const RECORD_NAMES: Record<string, string> = { mx: 'MX', spf: 'SPF', verification: 'ownership', dkim: 'DKIM' };

/** The names of records, each once. */
export function recordNames(records: readonly string[]): string {
  return [...new Set(records.map((record) => RECORD_NAMES[record] ?? record))].join(', ');
}
