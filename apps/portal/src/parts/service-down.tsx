import { Alert, Loader } from '@mantine/core';
import { useIsServiceDown } from '../api/service-state.js';
import { t } from '../texts/texts.js';

/** Says that the service does not answer. */
export function ServiceDown() {
  if (!useIsServiceDown()) return null;
  return (
    <Alert variant="default" icon={<Loader size="xs" aria-hidden />} role="alert" mb="md">
      {t('page.serviceDown')}
    </Alert>
  );
}
