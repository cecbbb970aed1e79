import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useChange } from '../../../api/change.js';
import { runNow } from '../../../api/job-runs.js';

/** Runs what would run by itself later, so one click is enough. */
export function RunNow({ name }: { name: string }) {
  const run = useChange(runNow(name), {
    onDone: () => notifications.show({ message: `${name} runs now.` }),
  });
  return (
    <Button
      size="compact-sm"
      variant="default"
      aria-label={`Run now: ${name}`}
      loading={run.isPending}
      onClick={() => run.mutate(undefined)}
    >
      Run now
    </Button>
  );
}
