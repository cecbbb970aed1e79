import { ActionIcon, Button, Kbd } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { loadAgain } from '../../load-again.js';

const open = () =>
  void loadAgain(() => import('./search.js'))
    .then(({ openSearch }) => openSearch())
    .catch(() => undefined);

/** Ctrl-K works from the first moment on, also before the code of the search was loaded. */
export function SearchButton() {
  useHotkeys([['mod+K', open]], []);
  return (
    <>
      <Button
        variant="default"
        size="xs"
        visibleFrom="sm"
        onClick={open}
        leftSection={<IconSearch size={14} aria-hidden />}
        rightSection={<Kbd size="xs">Ctrl K</Kbd>}
      >
        Find anything
      </Button>
      <ActionIcon variant="default" size="lg" hiddenFrom="sm" onClick={open} aria-label="Find anything">
        <IconSearch size={18} aria-hidden />
      </ActionIcon>
    </>
  );
}
