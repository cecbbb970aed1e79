import type { JobHandlers } from '../jobs/jobs.js';

/** Handlers that do nothing, except those that the test gives. */
export function steadyHandlers(own: Partial<JobHandlers> = {}): JobHandlers {
  const nothing = async () => undefined;
  return {
    'domain.verify': nothing,
    'identity.delete': nothing,
    'identities.align': nothing,
    'relay-events.process': nothing,
    'notifications.deliver': nothing,
    'schedule.run': nothing,
    ...own,
  };
}
