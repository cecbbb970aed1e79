import { Clock } from '../clock.js';
import type { DomainName } from '../domains/domain-name.js';
import { DomainRepository, type DomainWithParent } from '../domains/domain-repository.js';
import { AppError } from '../errors.js';
import { needs } from '../needs.js';
import { type Actor, scopeOf } from '../operators/actor.js';
import { CheckVerification } from './check-verification.js';
import { RelayProvider } from './relay-provider.js';
import { VerificationRepository } from './verification-repository.js';

/**
 * Reads the state of a verification. When it is pending, the provider is checked first, at most once in
 * `minCheckIntervalMs`.
 */
@needs(DomainRepository, VerificationRepository, CheckVerification, RelayProvider, Clock)
export class ReadRelayStatus {
  constructor(
    private readonly domains: DomainRepository,
    private readonly verifications: VerificationRepository,
    private readonly checkVerification: CheckVerification,
    private readonly provider: RelayProvider,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError domain_not_found */
  async execute(actor: Actor, name: DomainName): Promise<DomainWithParent> {
    const stored = await this.domains.findWithParent(scopeOf(actor), name);
    if (stored === null) throw new AppError('domain_not_found');
    if (stored.verification.status !== 'pending') return stored;
    const now = this.clock.now();
    const checkedBefore = new Date(now.getTime() - this.provider.minCheckIntervalMs);
    if (!(await this.verifications.claimCheck(stored.domain.id, checkedBefore, now))) return stored;
    await this.checkVerification.execute(stored.domain.id, actor.requestId);
    return (await this.domains.findWithParent(scopeOf(actor), name)) ?? stored;
  }
}
