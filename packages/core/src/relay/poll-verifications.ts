import { Clock } from '../clock.js';
import { needs } from '../needs.js';
import { CheckVerification } from './check-verification.js';
import { type ListedIdentity, RelayProvider } from './relay-provider.js';
import { VerificationRepository } from './verification-repository.js';

/** The number of domains that were compared, and the number that changed their state. */
type PollCounts = { polled: number; changed: number };

/** The number of domains read per query. */
const DOMAINS_PER_READ = 500;

/**
 * Compares all pending (or all verified) domains with the provider. One list call returns up to 1,000 identities, so
 * the provider is called separately only for domains whose status differs, that are not in the list, or whose records
 * are not stored. Domains are checked partner by partner in rotation.
 */
@needs(VerificationRepository, CheckVerification, RelayProvider, Clock)
export class PollVerifications {
  constructor(
    private readonly verifications: VerificationRepository,
    private readonly checkVerification: CheckVerification,
    private readonly provider: RelayProvider,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError relay_unavailable; the next run continues with the remaining domains. */
  async execute(status: 'pending' | 'verified'): Promise<PollCounts> {
    const startedAt = this.clock.now();
    if (status === 'pending') await this.verifications.startMissing(startedAt);
    const counts: PollCounts = { polled: 0, changed: 0 };
    if (this.provider.lists) await this.compareLists(status, startedAt, counts);
    for (;;) {
      const due = await this.verifications.dueForPoll(status, startedAt, DOMAINS_PER_READ);
      for (const { domainId } of due) await this.check(domainId, counts);
      // Each domain is checked once in a poll, whatever the result.
      await this.verifications.markChecked(
        due.map(({ domainId }) => domainId),
        this.clock.now(),
      );
      if (due.length < DOMAINS_PER_READ) return counts;
    }
  }

  private async compareLists(status: 'pending' | 'verified', startedAt: Date, counts: PollCounts): Promise<void> {
    let token: string | null = null;
    do {
      const page: { listed: ListedIdentity[]; nextToken: string | null } = await this.provider.listIdentities(token);
      const same = page.listed.filter((each) => each.status === status && !each.atRisk).map((each) => each.name);
      const confirmed = await this.verifications.confirm(status, same, startedAt);
      counts.polled += confirmed;
      token = page.nextToken;
    } while (token !== null);
  }

  private async check(domainId: number, counts: PollCounts): Promise<void> {
    counts.polled += 1;
    if ((await this.checkVerification.execute(domainId)) !== null) counts.changed += 1;
  }
}
