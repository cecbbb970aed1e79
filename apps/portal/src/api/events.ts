import { api } from './client.js';
import { keys } from './keys.js';
import { pagedQuery } from './paged-list.js';
import type { Event, EventFilters } from './shapes.js';

/** What happened, newest first. */
export function eventsQuery(filters: Omit<EventFilters, 'limit' | 'after' | 'order'>, rows?: number) {
  return pagedQuery<Event>(
    keys.eventList(filters, rows),
    (page) => api.GET('/events', { params: { query: { ...filters, ...page, order: 'desc' } } }),
    rows === undefined ? {} : { limit: rows },
  );
}
