import { aboutDomain } from '../audit/about-domain.js';
import type { AuditLog } from '../audit/audit-log.js';
import type { Clock } from '../clock.js';
import type { DomainName } from '../domains/domain-name.js';
import type { DomainRepository } from '../domains/domain-repository.js';
import { AppError } from '../errors.js';
import type { JobQueue } from '../jobs/jobs.js';
import { type Actor, scopeOf } from '../operators/actor.js';
import type { UnitOfWork } from '../unit-of-work.js';
import type { VerificationRepository } from './verification-repository.js';

/** Starts or restarts the verification of a domain; a job calls the provider. A verified domain is not changed. */
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
