import type { EntitySchemaColumnOptions } from 'typeorm';
import { Columns, type Dialect } from '../driver/dialect.js';
import type { CopiedColumn } from '../driver/table.js';

/**
 * The partner of the domain of a mailbox, alias or verification, copied for the indexes of filters: without it a filter
 * would search each domain of the partner. Who a row belongs to is decided by its domain. A row always
 * has it; the column of release 5.0 may be null.
 */
export function partnerCopy(dialect: Dialect): Record<string, EntitySchemaColumnOptions> {
  const unread = { select: false, insert: false, update: false };
  return { partnerCopy: new Columns(dialect).ref({ name: 'partner_id', nullable: true, ...unread }) };
}

/** Writes the copy when a row is inserted. */
export const PARTNER_OF_DOMAIN: CopiedColumn<{ domainId: number }> = {
  column: 'partner_id',
  sql: '(SELECT d.partner_id FROM domain d WHERE d.id = ?)',
  by: 'domainId',
};
