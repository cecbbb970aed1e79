import { ActionIcon, Button, Kbd } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { SearchIcon } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { loadAgain } from '../../load-again.js';
import { ahead } from '../screen.js';

const loadSearch = ahead(() => import('./search.js'));
const Search = lazy(async () => ({ default: (await loadAgain(loadSearch)).Search }));

/** Ctrl-K works from the first moment on. The code of the search comes with its first use, or ahead of it. */
export function SearchButton() {
  const [isUsed, setIsUsed] = useState(false);
  const open = () => {
    setIsUsed(true);
    loadAgain(loadSearch)
      .then(({ openSearch }) => openSearch())
      .catch(() => undefined);
  };
  useHotkeys([['mod+K', open]], []);
  return (
    <>
      <Button
        variant="default"
        size="xs"
        visibleFrom="sm"
        onClick={open}
        leftSection={<SearchIcon size={14} aria-hidden />}
        rightSection={<Kbd size="xs">Ctrl K</Kbd>}
      >
        Find anything
      </Button>
      <ActionIcon variant="default" size="lg" hiddenFrom="sm" onClick={open} aria-label="Find anything">
        <SearchIcon size={18} aria-hidden />
      </ActionIcon>
      <Suspense>{isUsed && <Search />}</Suspense>
    </>
  );
}
