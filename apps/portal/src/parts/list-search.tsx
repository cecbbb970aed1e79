import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { SearchIcon } from 'lucide-react';

const TYPING_MS = 200;

/** Narrows a list to what begins with the typed text. */
export function ListSearch({ label, onSearch }: { label: string; onSearch: (text: string) => void }) {
  const search = useDebouncedCallback((text: string) => onSearch(text.trim()), TYPING_MS);
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<SearchIcon size={16} aria-hidden />}
      onChange={(event) => search(event.currentTarget.value)}
      flex="1 1 auto"
      miw={240}
    />
  );
}
