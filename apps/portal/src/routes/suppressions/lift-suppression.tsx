import { Button, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { isCustomer } from '../../api/caller.js';
import { SILENT, useChange } from '../../api/change.js';
import type { Suppression } from '../../api/shapes.js';
import { createSuppression, deleteSuppression } from '../../api/suppressions.js';
import { offerUndo } from '../../parts/offer-undo.js';
import { t } from '../../texts/texts.js';
import { useView } from '../frame/view.js';

/** Lifts on one click. Undo adds again what was added by hand, where the caller can; what an event made is gone. */
export function LiftSuppression({ suppression }: { suppression: Suppression }) {
  const { id, address, domain, reason, note, provider } = suppression;
  const { caller } = useView();
  const again = useChange(createSuppression, SILENT);
  const lift = useChange(deleteSuppression(id), {
    onDone: () => {
      const done = t('suppression.lifted', { address });
      const isUndoable = reason === 'manual' && (caller.kind === 'client' || domain !== null);
      if (isUndoable) offerUndo(done, () => again.mutateAsync({ address, domain, note }));
      else notifications.show({ message: done });
    },
  });
  if (reason === 'complaint' && caller.kind !== 'master')
    return <Text size="sm">{t(isCustomer(caller) ? 'suppression.notHere' : 'suppression.byOperator')}</Text>;
  if (provider === 'pending') return <Text size="sm">{t('suppression.lifting')}</Text>;
  return (
    <>
      {provider === 'failed' && <Text size="sm">{t('suppression.notLifted')}</Text>}
      <Button
        size="compact-sm"
        variant="default"
        loading={lift.isPending}
        aria-label={t('suppression.liftOf', { address })}
        onClick={() => lift.mutate(undefined)}
      >
        {t('suppression.lift')}
      </Button>
    </>
  );
}
