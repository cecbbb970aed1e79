import type { EntitySchemaColumnOptions } from 'typeorm';
import { Columns, type Dialect } from '../driver/dialect.js';

/** Columns that processes of release 5.1 name when they move a row to another table. @until 5.3 */
export const FORMER_COLUMNS = ['dkim_tokens', 'dkim_zone'];

/** Nothing reads or writes them; the next release drops them (see the migration `dnsRecords`). @until 5.3 */
export function formerColumns(dialect: Dialect): Record<string, EntitySchemaColumnOptions> {
  // On a database with one writer, no such process can run at the same time.
  if (dialect.hasOneWriter) return {};
  const columns = new Columns(dialect);
  const unused = { default: '', select: false, insert: false, update: false };
  return {
    formerDkimTokens: columns.exact(512, { name: 'dkim_tokens', ...unused }),
    formerDkimZone: columns.name(253, { name: 'dkim_zone', ...unused }),
  };
}
