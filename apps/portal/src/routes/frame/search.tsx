import '@mantine/spotlight/styles.css';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { SearchIcon } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { DomainStatus } from '../../parts/domain-status.js';
import { useFound } from './found.js';

const [store, search] = createSpotlight();
const LIST = 'found';

export function openSearch(): void {
  search.open();
}

/**
 * Finds domains, addresses, partners, screens and actions. `SearchButton` opens it. Enter goes to the first thing
 * found, or to the one that the arrows chose; pressed before the service has answered, it waits for the answer.
 */
export function Search() {
  const [text, setText] = useState('');
  const [isEntered, setIsEntered] = useState(false);
  const isChosen = useRef(false);
  const { groups, isComplete } = useFound(text.trim().toLowerCase());
  const change = (to: string) => {
    isChosen.current = false;
    setIsEntered(false);
    setText(to);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key.startsWith('Arrow')) isChosen.current = true;
    if (event.key !== 'Enter' || isComplete || event.nativeEvent.isComposing) return;
    // Spotlight would go to what the former text found, or nowhere.
    event.preventDefault();
    event.stopPropagation();
    setIsEntered(true);
  };
  useEffect(() => {
    if (!isComplete || text.trim() === '') return;
    if (!isChosen.current) selectFirst();
    if (!isEntered) return;
    setIsEntered(false);
    document.querySelector<HTMLElement>(`#${LIST} [data-selected]`)?.click();
  }, [isComplete, isEntered, text]);
  return (
    <Spotlight.Root
      store={store}
      shortcut={null}
      query={text}
      onQueryChange={change}
      clearQueryOnClose
      attributes={{ content: { 'aria-label': 'Find anything' } }}
    >
      <Spotlight.Search
        placeholder="A domain, an address, a screen …"
        aria-label="Find anything"
        onKeyDownCapture={press}
        leftSection={<SearchIcon size={18} aria-hidden />}
      />
      <Spotlight.ActionsList id={LIST}>
        {groups.map(({ label, items }) => (
          <Spotlight.ActionsGroup key={label} label={label}>
            {items.map(({ key, name, note, domain, go }) => (
              <Spotlight.Action
                key={key}
                label={name}
                description={note}
                rightSection={domain !== undefined && <DomainStatus domain={domain} />}
                onClick={go}
              />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {isComplete && groups.length === 0 && <Spotlight.Empty>Nothing found</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

/** Spotlight selects when the text changes, and what it selected may not be the first thing any more, or not exist. */
function selectFirst(): void {
  document.querySelector(`#${LIST} [data-selected]`)?.removeAttribute('data-selected');
  document.querySelector(`#${LIST} [data-action]`)?.setAttribute('data-selected', 'true');
  store.updateState((state) => ({ ...state, selected: 0 }));
}
