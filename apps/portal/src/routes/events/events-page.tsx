import { Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { getRouteApi } from '@tanstack/react-router';
import { EventFeed } from '../../parts/event-feed.js';
import { Page } from '../../parts/page.js';
import { Empty } from '../../parts/states.js';
import { useView } from '../frame/view.js';
import { eventFilters, typesParameter } from './event-filters.js';
import type { EventsSearch } from './events-search.js';

const TYPING_MS = 300;
const route = getRouteApi('/in/events');

/** What happened, as it happens. */
export function EventsPage() {
  const { domain, type } = route.useSearch();
  const { partnerRef } = useView();
  const isNarrow = domain !== undefined || type !== undefined;
  return (
    <Page title="Events">
      <Narrowing />
      <EventFeed
        filters={{
          ...(domain === undefined ? {} : { domain }),
          ...(type === undefined ? {} : { types: typesParameter(type) }),
          ...(partnerRef === undefined ? {} : { partner_ref: partnerRef }),
        }}
        empty={
          isNarrow ? (
            <Empty title="No event matches" />
          ) : (
            <Empty title="Nothing has happened yet">
              What happens to domains, mailboxes, aliases and keys appears here by itself.
            </Empty>
          )
        }
      />
    </Page>
  );
}

/** The filters stand in the address, so that a narrowed feed can be sent. */
function Narrowing() {
  const { domain, type } = route.useSearch();
  const navigate = route.useNavigate();
  const narrow = (change: EventsSearch) => void navigate({ search: (now) => ({ ...now, ...change }), replace: true });
  const search = useDebouncedCallback((text: string) => narrow({ domain: text.trim() || undefined }), TYPING_MS);
  return (
    <Group gap="xs">
      <TextInput
        type="search"
        aria-label="Only this domain"
        placeholder="Only this domain …"
        spellCheck={false}
        defaultValue={domain ?? ''}
        onChange={(event) => search(event.currentTarget.value)}
        flex="1 1 240px"
      />
      <Select
        aria-label="What happened"
        placeholder="Everything that happened"
        data={eventFilters()}
        value={type ?? null}
        onChange={(value) => narrow({ type: value ?? undefined })}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'Show everything that happened' }}
        flex="0 1 300px"
      />
    </Group>
  );
}
