import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { sentenceOf } from '../api/problem.js';

interface Confirmation {
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
  /** Resolves when it is done. A refusal is shown in the dialog. */
  onConfirm: () => Promise<unknown>;
}

/** Asks for the name before something is deleted. */
export function ConfirmByName({ opened, onClose, title, ...rest }: Confirmation) {
  return (
    <Modal opened={opened} onClose={onClose} title={title ?? `${rest.action ?? 'Delete'} ${rest.name}?`}>
      <Question {...rest} onClose={onClose} />
    </Modal>
  );
}

function Question({
  name,
  consequence,
  action = 'Delete',
  onClose,
  onConfirm,
}: Omit<Confirmation, 'opened' | 'title'>) {
  const [typed, setTyped] = useState('');
  const [isRunning, setRunning] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const confirm = async () => {
    setRunning(true);
    try {
      await onConfirm();
      onClose();
    } catch (error) {
      setRefusal(sentenceOf(error));
    } finally {
      setRunning(false);
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.trim().toLowerCase() === name.toLowerCase()) void confirm();
      }}
    >
      <Stack>
        <Text size="sm">{consequence}</Text>
        <TextInput
          data-autofocus
          label={`Type ${name} to confirm`}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          error={refusal}
          autoComplete="off"
          spellCheck={false}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            color="red.9"
            disabled={typed.trim().toLowerCase() !== name.toLowerCase()}
            loading={isRunning}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
