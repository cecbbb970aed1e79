import { Alert, Loader } from '@mantine/core';
import { useEffect } from 'react';
import { askAgain, useIsServiceDown } from '../api/service-state.js';

const ASK_AGAIN_MS = 2_000;

/** Says that the service does not answer, asks until it does, and then has everything on the screen read again. */
export function ServiceDown() {
  const isDown = useIsServiceDown();
  useEffect(() => {
    if (!isDown) return undefined;
    const timer = setInterval(() => void askAgain(), ASK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [isDown]);
  if (!isDown) return null;
  return (
    <Alert variant="default" icon={<Loader size="xs" aria-hidden />} role="alert" mb="md">
      The service does not answer at the moment. This page goes on by itself as soon as it does.
    </Alert>
  );
}
