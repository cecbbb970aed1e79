import { textOf } from '../../search-text.js';

const FIELDS = ['action', 'actor', 'partner_ref', 'subject', 'since', 'until', 'order'] as const;

/** The filters of the audit log, as in the address; named as the API's. */
export type AuditSearch = { [field in (typeof FIELDS)[number]]?: string | undefined };

export function auditSearch(search: Record<string, unknown>): AuditSearch {
  return Object.fromEntries(FIELDS.map((field) => [field, textOf(search[field])]));
}
