import { TextInput } from '@mantine/core';
import { MailSearchIcon } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../texts/texts.js';

/** One field, which leads to the messages. */
export function AskMessage({ label, onAsk }: { label: string; onAsk: (about: string | undefined) => void }) {
  const [about, setAbout] = useState('');
  return (
    <form
      role="search"
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        onAsk(about.trim() || undefined);
      }}
    >
      <TextInput
        type="search"
        aria-label={label}
        placeholder={`${label} ${t('ask.about')}`}
        leftSection={<MailSearchIcon size={16} aria-hidden />}
        spellCheck={false}
        value={about}
        onChange={(event) => setAbout(event.currentTarget.value)}
      />
    </form>
  );
}
