import { TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { SearchIcon } from 'lucide-react';
import { useState } from 'react';

/** Leads to the list of domains. Ctrl-K finds everything else. */
export function HomeSearch() {
  const [text, setText] = useState('');
  const navigate = useNavigate();
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        void navigate({ to: '/domains', search: { q: text.trim() || undefined } });
      }}
    >
      <TextInput
        type="search"
        aria-label="Search domains"
        placeholder="Search domains"
        leftSection={<SearchIcon size={16} aria-hidden />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </form>
  );
}
