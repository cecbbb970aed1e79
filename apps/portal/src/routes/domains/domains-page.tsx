import { Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { PlusIcon, SearchIcon } from 'lucide-react';
import { useState } from 'react';
import { domainsQuery } from '../../api/domains.js';
import { rowsOf } from '../../api/paged-list.js';
import type { Domain } from '../../api/shapes.js';
import type { FileColumn } from '../../parts/csv/save-list.js';
import { LinkButton } from '../../parts/links.js';
import { List } from '../../parts/list.js';
import { Page } from '../../parts/page.js';
import { Empty } from '../../parts/states.js';
import { useView } from '../frame/view.js';
import { AttentionChips } from './attention-chips.js';
import { ChoiceBar } from './chosen/choice-bar.js';
import { useChosen } from './chosen/use-chosen.js';
import { useTasks, type Work } from './chosen/work.js';
import { WorkedDomains } from './chosen/worked-domains.js';
import { domainColumns } from './domain-columns.js';
import { filterOf, STATES } from './domain-filters.js';
import type { DomainsSearch } from './domains-search.js';

const TYPING_MS = 200;
const FILE_COLUMNS: readonly FileColumn<Domain>[] = [
  'name',
  { name: 'sends', value: ({ state }) => state?.sends },
  { name: 'receives', value: ({ state }) => state?.receives },
  { name: 'reason', value: ({ state }) => state?.reason },
  { name: 'until', value: ({ state }) => state?.until },
  'status',
  'suspension_causes',
  'partner_stage',
  'verification_status',
  'outbound_status',
  'blocked_reason',
  'plan',
  'partner_ref',
  'external_ref',
  'mailboxes',
  'aliases',
  'created_at',
];
const route = getRouteApi('/in/domains');

export function DomainsPage() {
  const search = route.useSearch();
  const { caller, partnerRef, may } = useView();
  const mayAdd = may('postDomains');
  const filters = {
    ...filterOf(search.show),
    ...(search.q === undefined ? {} : { q: search.q }),
    ...(partnerRef === undefined ? {} : { partner_ref: partnerRef }),
  };
  const list = domainsQuery(filters);
  const query = useInfiniteQuery(list);
  const shown = query.data === undefined ? [] : rowsOf(query.data);
  const tasks = useTasks();
  const chosen = useChosen(JSON.stringify(filters));
  const [work, setWork] = useState<{ work: Work; domains: Domain[] } | null>(null);
  const begin = (begun: Work) => {
    const present = new Map(shown.map((domain) => [domain.name, domain]));
    setWork({ work: begun, domains: [...chosen.domains.values()].map((domain) => present.get(domain.name) ?? domain) });
  };
  const end = () => {
    chosen.remove([...chosen.domains.values()]);
    setWork(null);
  };
  if (work !== null) return <WorkedDomains {...work} onBack={end} />;
  const seesPartners = caller.kind !== 'client' && partnerRef === undefined;
  return (
    <Page title="Domains" actions={mayAdd && <AddButton />}>
      <Narrowing />
      <AttentionChips />
      {tasks.hasAny && shown.length > 0 && (
        <ChoiceBar
          chosen={chosen}
          shown={shown}
          everyPage={query.hasNextPage ? list.everyPage : null}
          tasks={tasks}
          onWork={begin}
        />
      )}
      <List
        noun="domain"
        query={query}
        file={{ name: 'domains', everyPage: list.everyPage, columns: FILE_COLUMNS }}
        keyOf={({ id }) => id}
        columns={domainColumns({ seesPartners, chosen: tasks.hasAny ? chosen : null })}
        empty={<NoDomains search={search} mayAdd={mayAdd} />}
      />
    </Page>
  );
}

/** Search and filter stand in the address, so that a narrowed list can be sent. */
function Narrowing() {
  const { q, show } = route.useSearch();
  const navigate = route.useNavigate();
  const narrow = (change: DomainsSearch) => void navigate({ search: (now) => ({ ...now, ...change }), replace: true });
  const search = useDebouncedCallback((text: string) => narrow({ q: text.trim() || undefined }), TYPING_MS);
  return (
    <Group gap="xs">
      <TextInput
        type="search"
        aria-label="Search domains"
        placeholder="Search by a name or a reference"
        leftSection={<SearchIcon size={16} aria-hidden />}
        defaultValue={q ?? ''}
        onChange={(event) => search(event.currentTarget.value)}
        flex="1 1 240px"
      />
      <Select
        aria-label="Show"
        placeholder="All states"
        data={STATES}
        value={STATES.some(({ value }) => value === show) ? (show ?? null) : null}
        onChange={(value) => narrow({ show: value ?? undefined })}
        clearable
        clearButtonProps={{ 'aria-label': 'Show all domains' }}
        flex="0 1 200px"
      />
    </Group>
  );
}

function NoDomains({ search: { q, show }, mayAdd }: { search: DomainsSearch; mayAdd: boolean }) {
  if (q !== undefined || show !== undefined)
    return (
      <Empty
        title="No domain matches"
        action={
          <LinkButton to="/domains" search={{}} variant="default">
            Show all domains
          </LinkButton>
        }
      />
    );
  return (
    <Empty title="No domains yet" action={mayAdd && <AddButton isMain={false} />}>
      Add the first one. You then see the DNS records to publish, and it turns verified here by itself.
    </Empty>
  );
}

/** The one in the head of the page is its main action. */
function AddButton({ isMain = true }: { isMain?: boolean }) {
  return (
    <LinkButton
      to="/domains/add"
      variant={isMain ? 'filled' : 'default'}
      leftSection={<PlusIcon size={16} aria-hidden />}
    >
      Add domains
    </LinkButton>
  );
}
