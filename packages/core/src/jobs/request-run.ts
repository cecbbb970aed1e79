import { aboutInstallation } from '../audit/about-partner.js';
import { AuditLog } from '../audit/audit-log.js';
import { Clock } from '../clock.js';
import { AppError } from '../errors.js';
import { needs } from '../needs.js';
import type { Actor } from '../operators/actor.js';
import { RetryRelayEvents } from '../relay-events/retry-relay-events.js';
import { UnitOfWork } from '../unit-of-work.js';
import { type JobName, JobQueue } from './jobs.js';
import { runKey } from './run-requested.js';
import { isScheduleName } from './schedules.js';

const RELAY_EVENTS = 'relay-events.process' satisfies JobName;
const LOOKS = 'dns.look' satisfies JobName;

/**
 * Accepts an operator's request to run a schedule, to process failed relay events again, or to look at once at the
 * domains that are due. Each request has an audit row.
 */
@needs(UnitOfWork, JobQueue, RetryRelayEvents, AuditLog, Clock)
export class RequestRun {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: JobQueue,
    private readonly retryRelayEvents: RetryRelayEvents,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError job_not_found */
  async execute(actor: Actor, name: string): Promise<void> {
    if (name !== RELAY_EVENTS && name !== LOOKS && !isScheduleName(name)) throw new AppError('job_not_found');
    await this.unitOfWork.run(async () => {
      // First, because other requests and the workers wait for the lock of the job.
      await this.audit.append(actor, this.clock.now(), aboutInstallation('job.run', { subject: name }));
      if (name === RELAY_EVENTS) await this.retryRelayEvents.execute(actor.requestId);
      else if (name === LOOKS) await this.jobs.enqueue(LOOKS, {}, { key: LOOKS, requestId: actor.requestId });
      else await this.jobs.enqueue('schedule.run', { name }, { key: runKey(name), requestId: actor.requestId });
    });
  }
}
