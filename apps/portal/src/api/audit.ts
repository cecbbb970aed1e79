import { pagedQuery } from '../parts/paged-list.js';
import { api } from './client.js';
import type { AuditFilters, AuditRow } from './shapes.js';

/** Who changed what. */
export function auditQuery(filters: Omit<AuditFilters, 'limit' | 'after'>) {
  return pagedQuery<AuditRow>(['audit', filters], (page) =>
    api.GET('/audit', { params: { query: { ...filters, ...page } } }),
  );
}
