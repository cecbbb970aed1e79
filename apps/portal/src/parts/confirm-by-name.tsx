import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type Change, SILENT, useChange } from '../api/change.js';
import { sentenceOf } from '../api/problem.js';
import { t } from '../texts/texts.js';
import { useFocusBack } from './focus-back.js';

interface Confirmation<Result> {
  /** What is deleted; it must be typed. */
  name: string;
  /** What follows, in a sentence or two. */
  consequence: string;
  /** The word of the button; the default is Delete. */
  action?: string;
  /** The default is the action and the name. */
  title?: string;
  opened: boolean;
  onClose: () => void;
  /** Its refusal is shown in the dialog. */
  change: Change<void, Result>;
  onDone?: () => unknown;
}

/** Asks for the name before something is deleted. */
export function ConfirmByName<Result>({ opened, onClose, title, ...rest }: Confirmation<Result>) {
  useFocusBack(opened);
  return (
    <Modal opened={opened} onClose={onClose} title={title ?? titleOf(rest)}>
      <Question {...rest} onClose={onClose} />
    </Modal>
  );
}

function Question<Result>({
  name,
  consequence,
  action = t('page.delete'),
  change,
  onClose,
  onDone,
}: Omit<Confirmation<Result>, 'opened' | 'title'>) {
  const [typed, setTyped] = useState('');
  const { mutate, isPending, error } = useChange(change, { onDone, ...SILENT });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.trim().toLowerCase() === name.toLowerCase()) mutate(undefined, { onSuccess: onClose });
      }}
    >
      <Stack>
        <Text size="sm">{consequence}</Text>
        <TextInput
          data-autofocus
          label={t('page.typeToConfirm', { name })}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          error={error === null ? null : sentenceOf(error)}
          autoComplete="off"
          spellCheck={false}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('page.cancel')}
          </Button>
          <Button
            type="submit"
            color="red.9"
            disabled={typed.trim().toLowerCase() !== name.toLowerCase()}
            loading={isPending}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function titleOf({ action, name }: { action?: string | undefined; name: string }): string {
  return action === undefined ? t('page.deleteName', { name }) : t('page.actionName', { action, name });
}
