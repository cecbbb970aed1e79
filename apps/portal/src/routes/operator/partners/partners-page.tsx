import { Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { PlusIcon, SearchIcon } from 'lucide-react';
import { partnersQuery } from '../../../api/partners.js';
import type { Partner } from '../../../api/shapes.js';
import { LinkButton, TextLink } from '../../../parts/links.js';
import { List } from '../../../parts/list.js';
import { formatCount } from '../../../parts/numbers.js';
import { Page } from '../../../parts/page.js';
import { PartnerLink } from '../../../parts/partner-link.js';
import { Empty } from '../../../parts/states.js';
import type { Column } from '../../../parts/table/column.js';
import { useView } from '../../frame/view.js';
import { PARTNER_STATES, stateIn } from './partner-states.js';
import { PartnerStatus } from './partner-status.js';
import type { PartnersSearch } from './partners-search.js';

const TYPING_MS = 200;
const STATES = Object.entries(PARTNER_STATES).map(([value, { word }]) => ({ value, label: word }));
const FILE_COLUMNS = [
  'partner_ref',
  'name',
  'external_ref',
  'state',
  'status',
  'stage',
  'domains_used',
  'mailboxes',
  'aliases',
  'keys',
] as const;

const COLUMNS: Column<Partner>[] = [
  { head: 'Partner', cell: ({ partner_ref }) => <PartnerLink partner={partner_ref} />, by: (row) => row.partner_ref },
  { head: 'Name', phone: 'bare', cell: ({ name }) => name, by: ({ name }) => name },
  {
    head: 'State',
    phone: 'bare',
    cell: (partner) => <PartnerStatus partner={partner} />,
    by: ({ state }) => PARTNER_STATES[state].word,
  },
  { head: 'Domains', align: 'end', cell: (row) => formatCount(row.domains_used), by: (row) => row.domains_used },
  { head: 'Mailboxes', align: 'end', cell: (row) => formatCount(row.mailboxes), by: (row) => row.mailboxes },
  {
    head: 'Aliases',
    align: 'end',
    phone: 'hidden',
    cell: (row) => formatCount(row.aliases),
    by: (row) => row.aliases,
  },
  { head: 'Keys', align: 'end', phone: 'hidden', cell: (row) => formatCount(row.keys), by: (row) => row.keys },
  {
    head: 'View',
    phone: 'bare',
    cell: ({ partner_ref: ref }) => (
      <TextLink to="/" search={{ as: ref }} aria-label={`See as they do: ${ref}`}>
        See as they do
      </TextLink>
    ),
  },
];

const route = getRouteApi('/in/operator/partners');

export function PartnersPage() {
  const { may } = useView();
  const { q, state } = route.useSearch();
  const sought = stateIn(state);
  const list = partnersQuery({ ...(q === undefined ? {} : { q }), ...(sought === null ? {} : { state: sought }) });
  const query = useInfiniteQuery(list);
  const isNarrowed = q !== undefined || sought !== null;
  const mayAdd = may('postApiKeys');
  return (
    <Page title="Partners" actions={mayAdd && <AddButton />}>
      <Narrowing />
      <List
        noun="partner"
        query={query}
        file={{ name: 'partners', everyPage: list.everyPage, columns: FILE_COLUMNS }}
        keyOf={({ partner_ref }) => partner_ref}
        columns={COLUMNS}
        empty={
          isNarrowed ? (
            <Empty
              title="No partner matches"
              action={
                <LinkButton to="/operator/partners" search={{}} variant="default">
                  Show all partners
                </LinkButton>
              }
            />
          ) : (
            <Empty title="No partners yet" action={mayAdd && <AddButton isMain={false} />}>
              A partner exists as soon as a key or a domain names it.
            </Empty>
          )
        }
      />
    </Page>
  );
}

/** Search and filter stand in the address, so that a narrowed list can be sent. */
function Narrowing() {
  const { q, state } = route.useSearch();
  const navigate = route.useNavigate();
  const narrow = (change: PartnersSearch) => void navigate({ search: (now) => ({ ...now, ...change }), replace: true });
  const search = useDebouncedCallback((text: string) => narrow({ q: text.trim() || undefined }), TYPING_MS);
  return (
    <Group gap="xs">
      <TextInput
        type="search"
        aria-label="Search partners"
        placeholder="Search by words of reference or name"
        leftSection={<SearchIcon size={16} aria-hidden />}
        defaultValue={q ?? ''}
        onChange={(event) => search(event.currentTarget.value)}
        flex="1 1 240px"
      />
      <Select
        aria-label="State"
        placeholder="All states"
        data={STATES}
        value={stateIn(state)}
        onChange={(value) => narrow({ state: value ?? undefined })}
        clearable
        clearButtonProps={{ 'aria-label': 'Show all states' }}
        flex="0 1 220px"
      />
    </Group>
  );
}

/** The one in the head of the page is its main action. */
function AddButton({ isMain = true }: { isMain?: boolean }) {
  return (
    <LinkButton
      to="/operator/add-partner"
      variant={isMain ? 'filled' : 'default'}
      leftSection={<PlusIcon size={16} aria-hidden />}
    >
      Add partner
    </LinkButton>
  );
}
