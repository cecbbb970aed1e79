import { Button, Stack } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { eventsQuery } from '../api/events.js';
import { readNextPage, rowsOf } from '../api/paged-list.js';
import type { EventFilters } from '../api/shapes.js';
import { t } from '../texts/texts.js';
import { EventLine } from './event-line.js';
import { Card } from './page.js';
import { Queried } from './queried.js';

interface Feed {
  filters: Pick<EventFilters, 'types' | 'domain' | 'partner_ref'>;
  /** Shown when there is no event. */
  empty: ReactNode;
}

/** Events, newest first, as they happen. */
export function EventFeed({ filters, empty }: Feed) {
  const query = useInfiniteQuery(eventsQuery(filters));
  return (
    <Queried query={query}>
      {(data) => {
        const events = rowsOf(data);
        if (events.length === 0) return empty;
        return (
          <Stack>
            <Card>
              <Stack gap={6} className="portal-card-body">
                {events.map((event) => (
                  <EventLine key={event.id} event={event} />
                ))}
              </Stack>
            </Card>
            {query.hasNextPage && (
              <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void readNextPage(query)}>
                {t('page.showMore')}
              </Button>
            )}
          </Stack>
        );
      }}
    </Queried>
  );
}
