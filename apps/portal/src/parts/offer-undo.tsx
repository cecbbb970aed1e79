import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { sentenceOf } from '../api/problem.js';
import { t } from '../texts/texts.js';

/** One less than `Notices` shows at once, so that there is room for what an undo answers. */
const MOST_OFFERED = 2;
const offered = new Set<string>();

/**
 * Says that something is done and offers, for as long as the service says, to take it back at once. A new offer takes
 * the place of the oldest one: otherwise it would wait until that one closes.
 */
export function offerUndo(done: string, undo: () => Promise<unknown>): void {
  const [oldest] = offered;
  if (oldest !== undefined && offered.size === MOST_OFFERED) notifications.hide(oldest);
  const id = notifications.show({
    autoClose: Number(document.documentElement.dataset.undoMs),
    onClose: () => offered.delete(id),
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{done}</Text>
        <Button size="compact-sm" variant="default" onClick={() => void takeBack()}>
          {t('page.undo')}
        </Button>
      </Group>
    ),
  });
  offered.add(id);
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
