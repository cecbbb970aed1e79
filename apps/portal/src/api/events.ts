import { pagedQuery } from '../parts/paged-list.js';
import { api } from './client.js';
import type { Event, EventFilters } from './shapes.js';

/** What happened, newest first. */
export function eventsQuery(filters: Omit<EventFilters, 'limit' | 'after' | 'order'>, rows?: number) {
  return pagedQuery<Event>(
    ['events', filters, rows ?? null],
    (page) => api.GET('/events', { params: { query: { ...filters, ...page, order: 'desc' } } }),
    rows,
  );
}
