import type { Clock } from '../clock.js';
import type { JobQueue } from '../jobs/jobs.js';
import type { UnitOfWork } from '../unit-of-work.js';
import type { RelayEventInbox } from './relay-event-inbox.js';

/** Makes all failed relay events due now, also those set aside, on the operator's request. */
export class RetryRelayEvents {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly inbox: RelayEventInbox,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
  ) {}

  async execute(requestId: string | null): Promise<void> {
    await this.unitOfWork.run(async () => {
      await this.inbox.retryFailed(this.clock.now());
      await this.jobs.enqueue('relay-events.process', {}, { key: 'relay-events.process', requestId });
    });
  }
}
