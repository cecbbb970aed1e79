import { Clock } from '../clock.js';
import type { JobCounts } from '../jobs/jobs.js';
import { needs } from '../needs.js';
import { systemActor } from '../operators/actor.js';
import { byId, inChunks } from '../page.js';
import { UnitOfWork } from '../unit-of-work.js';
import { AnnounceLowering } from './announce-lowering.js';
import { DomainRepository } from './domain-repository.js';

const DOMAINS_PER_READ = 200;

/** Reminds operators of lowered retentions that will soon take effect. May be interrupted and run again. */
@needs(UnitOfWork, DomainRepository, AnnounceLowering, Clock)
export class RemindRetention {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly domains: DomainRepository,
    private readonly announceLowering: AnnounceLowering,
    private readonly clock: Clock,
  ) {}

  async execute(): Promise<JobCounts> {
    const now = this.clock.now();
    let reminded = 0;
    const due = byId((page) => this.domains.withRetentionReminder(now, page));
    for await (const { rows } of inChunks(due, DOMAINS_PER_READ)) {
      for (const { id } of rows) reminded += await this.remind(id, now);
    }
    return { reminded };
  }

  /**
   * Reads the reminders again under the lock: the retention may have been raised, or another process may have reminded.
   */
  private remind(id: number, now: Date): Promise<number> {
    return this.unitOfWork.run(async () => {
      const domain = await this.domains.lockById(id);
      const lowerings = domain?.takeReminders(now) ?? [];
      if (domain === null || lowerings.length === 0) return 0;
      await this.domains.save(domain);
      for (const lowering of lowerings) {
        await this.announceLowering.execute(systemActor('retention'), domain, lowering, now, true);
      }
      return lowerings.length;
    });
  }
}
