import { Batcher } from '../batcher.js';
import { Clock } from '../clock.js';
import { JobQueue } from '../jobs/jobs.js';
import { Meters } from '../meters.js';
import { needs } from '../needs.js';
import { UnitOfWork } from '../unit-of-work.js';
import type { RelayEvent } from './relay-event.js';
import { RelayEventInbox } from './relay-event-inbox.js';

interface Received {
  event: RelayEvent;
  requestId: string | null;
}

/** Stores an event in the inbox; a job processes it. Events that arrive together share a commit. */
@needs(UnitOfWork, RelayEventInbox, JobQueue, Clock, Meters)
export class ReceiveRelayEvent {
  private readonly batches: Batcher<Received, boolean>;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly inbox: RelayEventInbox,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
    private readonly meters: Meters,
  ) {
    this.batches = new Batcher((items) => this.store(items), { maxItems: 200, maxInFlight: 1 });
  }

  /** @throws AppError database_unavailable, so that the provider sends the event again. */
  async execute(event: RelayEvent, requestId: string | null): Promise<void> {
    await this.batches.call({ event, requestId });
  }

  private async store(items: Received[]): Promise<boolean[]> {
    await this.unitOfWork.run(async () => {
      const stored = await this.inbox.store(items, this.clock.now());
      if (stored > 0) await this.jobs.enqueue('relay-events.process', {}, { key: 'relay-events.process' });
    });
    this.meters.batch('relay_events', items.length);
    return items.map(() => true);
  }
}
