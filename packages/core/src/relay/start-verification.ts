import { aboutDomain } from '../audit/about-domain.js';
import { AuditLog } from '../audit/audit-log.js';
import { Clock } from '../clock.js';
import type { DomainName } from '../domains/domain-name.js';
import { DomainRepository } from '../domains/domain-repository.js';
import { AppError } from '../errors.js';
import { JobQueue } from '../jobs/jobs.js';
import { needs } from '../needs.js';
import { type Actor, scopeOf } from '../operators/actor.js';
import { UnitOfWork } from '../unit-of-work.js';
import { VerificationRepository } from './verification-repository.js';

/** Starts or restarts the verification of a domain; a job calls the provider. A verified domain is not changed. */
@needs(UnitOfWork, DomainRepository, VerificationRepository, JobQueue, AuditLog, Clock)
export class StartVerification {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly domains: DomainRepository,
    private readonly verifications: VerificationRepository,
    private readonly jobs: JobQueue,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError domain_not_found */
  async execute(actor: Actor, name: DomainName): Promise<void> {
    await this.unitOfWork.run(async () => {
      const domain = await this.domains.lock(scopeOf(actor), name);
      const verification = domain === null ? null : await this.verifications.lock(domain.id);
      if (domain === null || verification === null) throw new AppError('domain_not_found');
      if (verification.status === 'verified') return;
      const now = this.clock.now();
      const before = { verification_status: verification.status };
      verification.start(now);
      await this.verifications.save(verification);
      await this.jobs.enqueue(
        'domain.verify',
        { domainId: domain.id },
        { key: `domain.verify/${domain.id}`, requestId: actor.requestId },
      );
      await this.audit.append(
        actor,
        now,
        aboutDomain(domain, 'domain.relay_verify', {
          before,
          after: { verification_status: verification.status },
        }),
      );
    });
  }
}
