import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { useFound } from './found.js';

const [store, search] = createSpotlight();

export function openSearch(): void {
  search.open();
}

/** Finds domains, addresses, partners, screens and actions. `SearchButton` opens it. */
export function Search() {
  const [text, setText] = useState('');
  const groups = useFound(text.trim().toLowerCase());
  return (
    <Spotlight.Root
      store={store}
      shortcut={null}
      query={text}
      onQueryChange={setText}
      clearQueryOnClose
      attributes={{ content: { 'aria-label': 'Find anything' } }}
    >
      <Spotlight.Search
        placeholder="A domain, an address, a screen …"
        aria-label="Find anything"
        leftSection={<IconSearch size={18} aria-hidden />}
      />
      <Spotlight.ActionsList>
        {groups.map(({ label, items }) => (
          <Spotlight.ActionsGroup key={label} label={label}>
            {items.map(({ key, name, note, go }) => (
              <Spotlight.Action key={key} label={name} description={note} onClick={go} />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {groups.length === 0 && <Spotlight.Empty>Nothing found</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}
