import { Clock } from '../clock.js';
import { JobQueue } from '../jobs/jobs.js';
import { needs } from '../needs.js';
import { UnitOfWork } from '../unit-of-work.js';
import { RelayEventInbox } from './relay-event-inbox.js';

/** Makes all failed relay events due now, also those set aside, on the operator's request. */
@needs(UnitOfWork, RelayEventInbox, JobQueue, Clock)
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
