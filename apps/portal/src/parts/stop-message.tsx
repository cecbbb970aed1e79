import { Stack, Textarea } from '@mantine/core';
import { useState } from 'react';
import { t } from '../texts/texts.js';
import { SaveButton } from './save-button.js';

const MAX_MESSAGE = 500;

interface MessageFieldProps {
  value: string;
  onChange: (message: string) => void;
}

/** What the operator tells the partner about a stop. The API takes one line. */
export function MessageField({ value, onChange }: MessageFieldProps) {
  return (
    <Textarea
      label={t('settings.message')}
      description={t('settings.messageWhat')}
      maxLength={MAX_MESSAGE}
      autosize
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value.replace(/\n/g, ' '))}
    />
  );
}

interface ChangeMessageProps {
  /** Empty: none. */
  message: string;
  isSaving: boolean;
  /** Gets null when the message is taken back. */
  onSave: (message: string | null) => void;
}

/** Changes what the operator says about a stop that holds; an empty field takes it back. */
export function ChangeMessage({ message, isSaving, onSave }: ChangeMessageProps) {
  const [typed, setTyped] = useState(message);
  const wanted = typed.trim();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSave(wanted === '' ? null : wanted);
      }}
    >
      <Stack gap="xs">
        <MessageField value={typed} onChange={setTyped} />
        {wanted !== message && <SaveButton isChanged isSaving={isSaving} />}
      </Stack>
    </form>
  );
}
