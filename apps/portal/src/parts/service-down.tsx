import { Alert, Loader } from '@mantine/core';
import { useOldSince } from '../api/live.js';
import { useIsServiceDown } from '../api/service-state.js';
import { t } from '../texts/texts.js';
import { momentText } from './time.js';

/** Says that the service does not answer, or since when the page does not know what changes. */
export function ServiceDown() {
  const isDown = useIsServiceDown();
  const since = useOldSince();
  if (!isDown && since === null) return null;
  return (
    <Alert variant="default" icon={<Loader size="xs" aria-hidden />} role="alert" mb="md">
      {isDown || since === null ? t('page.serviceDown') : t('page.oldSince', { time: momentText(since) })}
    </Alert>
  );
}
