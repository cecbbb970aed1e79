import { Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { eventsQuery } from '../api/events.js';
import { rowsOf } from '../api/paged-list.js';
import type { EventFilters } from '../api/shapes.js';
import { t } from '../texts/texts.js';
import { EventLine } from './event-line.js';
import { Section } from './page.js';
import { Queried } from './queried.js';

interface LatestEventsProps {
  filters: Pick<EventFilters, 'domain' | 'partner_ref'>;
  /** How many are shown. */
  limit: number;
  actions?: ReactNode;
}

/** What happened last, as it happens. */
export function LatestEvents({ filters, limit, actions }: LatestEventsProps) {
  const query = useInfiniteQuery(eventsQuery(filters, limit));
  return (
    <Section title={t('events.latest')} actions={actions}>
      <Queried query={query}>
        {(data) =>
          rowsOf(data).length === 0 ? (
            <Text size="sm">{t('events.noneYet')}</Text>
          ) : (
            <Stack gap={6} aria-live="polite">
              {data.pages[0]?.rows.map((event) => (
                <EventLine key={event.id} event={event} />
              ))}
            </Stack>
          )
        }
      </Queried>
    </Section>
  );
}
