import { Alert, Loader } from '@mantine/core';
import { useIsServiceDown } from '../api/service-state.js';

/** Says that the service does not answer. */
export function ServiceDown() {
  if (!useIsServiceDown()) return null;
  return (
    <Alert variant="default" icon={<Loader size="xs" aria-hidden />} role="alert" mb="md">
      The service does not answer at the moment. This page goes on by itself as soon as it does.
    </Alert>
  );
}
