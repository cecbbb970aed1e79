import { Button } from '@mantine/core';
import { useChange } from '../../api/change.js';
import { activateDomain, suspendDomain } from '../../api/domains.js';
import { useCaller } from '../../api/session.js';
import type { SuspensionCause, Verdict } from '../../api/shapes.js';
import { t } from '../../texts/texts.js';
import { offerUndo } from '../offer-undo.js';

interface LiftCauseProps {
  domain: string;
  cause: Verdict['causes'][number]['cause'];
  /** What the operator says about it, which the undo says again. */
  message: string | null;
  /** Whether this is the main action of the page. */
  isMain?: boolean;
}

/** Lifts one cause of a suspension, and offers to set it again. */
export function LiftCause({ domain, cause, message, isMain = false }: LiftCauseProps) {
  const isMaster = useCaller().kind === 'master';
  const suspend = useChange(suspendDomain(domain));
  // The button is gone before the service has answered.
  const activate = useChange(activateDomain(domain), {
    onDone: (_result, lifted) => {
      // Master alone may say something, and a request of others that does is refused.
      const again = { cause: lifted, ...(isMaster && message !== null ? { message } : {}) };
      offerUndo(t('settings.lifted', { name: domain, cause: lifted }), () => suspend.mutateAsync(again));
    },
  });
  if (!isOfSuspension(cause)) return null;
  return (
    <Button
      size="xs"
      variant={isMain ? 'filled' : 'default'}
      aria-label={t('settings.activateCause', { cause })}
      loading={activate.isPending}
      onClick={() => activate.mutate(cause)}
    >
      {t('settings.activate')}
    </Button>
  );
}

function isOfSuspension(cause: LiftCauseProps['cause']): cause is SuspensionCause {
  return cause !== 'bounce_rate' && cause !== 'complaint_rate';
}
