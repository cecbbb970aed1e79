import type { JobHandlers } from '../jobs/jobs.js';

/** Handlers that do nothing, except those that the test gives. */
export function steadyHandlers(own: Partial<JobHandlers> = {}): JobHandlers {
  const nothing = async () => undefined;
  return {
    'domain.verify': nothing,
    'domain.delete': nothing,
    'identity.delete': nothing,
    'identities.align': nothing,
    'tenant.check': nothing,
    'suppression.lift': nothing,
    'suppression.lift-tenant': nothing,
    'relay-events.process': nothing,
    'trail.join': nothing,
    'notifications.deliver': nothing,
    'mail-sessions.end': nothing,
    'limits.mark': nothing,
    'dns.look': nothing,
    'schedule.run': nothing,
    ...own,
  };
}
