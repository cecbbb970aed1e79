import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { sentenceOf } from '../api/problem.js';
import { t } from '../texts/texts.js';

/** Says that something is done and offers, for as long as the service says, to take it back at once. */
export function offerUndo(done: string, undo: () => Promise<unknown>): void {
  const id = notifications.show({
    autoClose: Number(document.documentElement.dataset.undoMs),
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{done}</Text>
        <Button size="compact-sm" variant="default" onClick={() => void takeBack()}>
          {t('page.undo')}
        </Button>
      </Group>
    ),
  });
  const takeBack = async () => {
    notifications.hide(id);
    try {
      await undo();
      notifications.show({ message: t('page.undone') });
    } catch (error) {
      notifications.show({ color: 'red', title: t('page.notUndone'), message: sentenceOf(error) });
    }
  };
}
