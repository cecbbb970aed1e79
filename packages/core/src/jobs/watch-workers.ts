import { Clock, MINUTE_MS, zonelessTime } from '../clock.js';
import { needs } from '../needs.js';
import { DeliverNotifications } from '../notifications/deliver-notifications.js';
import { Notifier } from '../notifications/notifier.js';
import { UnitOfWork } from '../unit-of-work.js';
import { type BeatingProcess, Heartbeats } from './heartbeats.js';
import { JobGate } from './job-gate.js';

/** Longer than the restart of a worker, so that an update causes no alarm. */
const STOPPED_AFTER_MS = 2 * MINUTE_MS;
/** Several times the interval of the heartbeats, and less than `STOPPED_AFTER_MS`. */
const LONGEST_PAUSE_MS = MINUTE_MS;

/**
 * Watches, in each API process, whether a worker runs. When none has run for two minutes, reports it once, and delivers
 * the notifications itself, because that is the work of the workers.
 */
@needs(UnitOfWork, Heartbeats, Notifier, DeliverNotifications, Clock, JobGate)
export class WatchWorkers {
  /**
   * Since when the database has taken the heartbeats of this process without a pause. During a pause (a database that
   * takes no writes, a suspended machine, a clock that was set) the workers may have been unable to store theirs, and
   * that does not mean that they stopped.
   */
  private beatingSince: Date | null = null;
  private lastTurnAt: Date | null = null;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly heartbeats: Heartbeats,
    private readonly notifier: Notifier,
    private readonly deliverNotifications: Pick<DeliverNotifications, 'execute'>,
    private readonly clock: Clock,
    private readonly gate: JobGate,
  ) {}

  /** Called every few seconds. @throws AppError of an unavailable database; the next call tries again. */
  async execute(process: BeatingProcess): Promise<void> {
    await this.beat(process);
    try {
      const stopped = await this.stopped();
      if (stopped === null || (await this.gate.enter()) === null) return;
      await this.report(stopped.lastSeenAt);
      await this.deliverNotifications.execute();
    } finally {
      this.lastTurnAt = this.clock.now();
    }
  }

  private async beat(process: BeatingProcess): Promise<void> {
    const begun = this.clock.now();
    try {
      await this.heartbeats.beat(process, begun);
    } catch (error) {
      this.beatingSince = null;
      throw error;
    }
    const now = this.clock.now();
    const pauseMs = Math.abs(now.getTime() - (this.lastTurnAt ?? begun).getTime());
    if (this.beatingSince === null || pauseMs > LONGEST_PAUSE_MS) this.beatingSince = now;
  }

  /** @returns null while a worker runs, or while this process cannot know it; otherwise when a worker was last seen. */
  async stopped(): Promise<{ lastSeenAt: Date | null } | null> {
    const now = this.clock.now();
    const stoppedBefore = now.getTime() - STOPPED_AFTER_MS;
    if (this.beatingSince === null || this.beatingSince.getTime() > stoppedBefore) return null;
    const { lastSeenAt } = await this.heartbeats.workers(now, now);
    return lastSeenAt !== null && lastSeenAt.getTime() > stoppedBefore ? null : { lastSeenAt };
  }

  private async report(lastSeenAt: Date | null): Promise<void> {
    await this.unitOfWork.run(async () => {
      if (!(await this.heartbeats.claimReport(lastSeenAt))) return;
      const data = { last_seen_at: lastSeenAt === null ? null : zonelessTime(lastSeenAt) };
      await this.notifier.notify('worker.stopped', null, this.clock.now(), data);
    });
  }
}
