import { api } from './client.js';
import { keys } from './keys.js';
import { pagedQuery } from './paged-list.js';
import type { AuditFilters, AuditRow } from './shapes.js';

/** Who changed what. */
export function auditQuery(filters: Omit<AuditFilters, 'limit' | 'after'>) {
  return pagedQuery<AuditRow>(keys.auditList(filters), (page) =>
    api.GET('/audit', { params: { query: { ...filters, ...page } } }),
  );
}
