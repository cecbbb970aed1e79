import { aboutInstallation } from '../../audit/about-partner.js';
import { AuditLog } from '../../audit/audit-log.js';
import { Clock } from '../../clock.js';
import { needs } from '../../needs.js';
import type { Actor } from '../../operators/actor.js';
import { UnitOfWork } from '../../unit-of-work.js';
import { DnsLooks } from './dns-looks.js';

/** Lets the lacks that the brake holds now count when the next look, which is due at once, finds them too. */
@needs(UnitOfWork, DnsLooks, AuditLog, Clock)
export class ReleaseLacks {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly looks: DnsLooks,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  async execute(actor: Actor): Promise<void> {
    await this.unitOfWork.run(async () => {
      const now = this.clock.now();
      const change = { subject: 'dns.look', after: { domains: await this.looks.release(now) } };
      await this.audit.append(actor, now, aboutInstallation('dns_looks.release_brake', change));
    });
  }
}
