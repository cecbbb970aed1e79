import { Button, Group, Select, TextInput } from '@mantine/core';
import { SearchIcon } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../texts/texts.js';
import { MESSAGE_STATES, type MessagesSearch } from './messages-search.js';

/** Asks for messages by whom they concern, and by their state. */
export function MessageSearch({ asked, onAsk }: { asked: MessagesSearch; onAsk: (search: MessagesSearch) => void }) {
  const [about, setAbout] = useState(asked.about ?? '');
  const [mailbox, setMailbox] = useState(asked.mailbox ?? '');
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        onAsk({ ...asked, about: about.trim() || undefined, mailbox: mailbox.trim() || undefined });
      }}
    >
      <Group gap="xs" align="end">
        <TextInput
          label={t('ask.about')}
          type="search"
          spellCheck={false}
          value={about}
          onChange={(event) => setAbout(event.currentTarget.value)}
          flex="1 1 240px"
        />
        <TextInput
          label={t('message.mailbox')}
          type="search"
          spellCheck={false}
          value={mailbox}
          onChange={(event) => setMailbox(event.currentTarget.value)}
          flex="1 1 240px"
        />
        <Select
          aria-label={t('message.what')}
          placeholder={t('message.anyState')}
          data={MESSAGE_STATES.map((state) => ({ value: state, label: t(`became.${state}`) }))}
          value={asked.state ?? null}
          onChange={(state) => onAsk({ ...asked, state: state ?? undefined })}
          clearable
          clearButtonProps={{ 'aria-label': t('message.showAny') }}
          flex="0 1 260px"
        />
        <Button type="submit" variant="default" leftSection={<SearchIcon size={16} aria-hidden />}>
          {t('message.find')}
        </Button>
      </Group>
    </form>
  );
}
