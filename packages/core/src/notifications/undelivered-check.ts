import { Clock, DAY_MS, MINUTE_MS } from '../clock.js';
import { HealthCheck } from '../health-check.js';
import { needs } from '../needs.js';
import { NotificationOutbox } from './notification-outbox.js';

/** Longer than the first three retries take, so that a receiver that restarts causes no warning. */
const FAILING_FOR_MS = 30 * MINUTE_MS;
/** How long a dead notification is in the warnings. `GET /jobs` lists it longer. */
const DEAD_WITHIN_MS = DAY_MS;

/**
 * Warns of notifications that cannot be delivered, because no notification can report it. The process still serves
 * requests.
 */
@needs(NotificationOutbox, Clock)
export class UndeliveredCheck extends HealthCheck {
  override readonly name = 'notifications';
  override readonly isWarning = true;

  constructor(
    private readonly outbox: NotificationOutbox,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async problem(): Promise<string | null> {
    const now = this.clock.now().getTime();
    try {
      const isUndelivered = await this.outbox.hasUndelivered({
        failingSince: new Date(now - FAILING_FOR_MS),
        deadAfter: new Date(now - DEAD_WITHIN_MS),
      });
      return isUndelivered ? 'Notifications cannot be delivered; GET /jobs lists them with the reasons' : null;
    } catch {
      return 'The outbox of notifications cannot be read';
    }
  }
}
