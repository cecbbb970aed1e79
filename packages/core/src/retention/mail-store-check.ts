import { DomainRepository } from '../domains/domain-repository.js';
import { HealthCheck } from '../health-check.js';
import { needs } from '../needs.js';
import { MailStore } from './mail-store.js';

/** Warns of retentions that nothing applies, because no mail store is configured. */
@needs(MailStore, DomainRepository)
export class MailStoreCheck extends HealthCheck {
  override readonly name = 'mail_store_missing';
  override readonly isWarning = true;

  constructor(
    private readonly store: MailStore,
    private readonly domains: Pick<DomainRepository, 'hasRetention'>,
  ) {
    super();
  }

  override async problem(): Promise<string | null> {
    if (this.store.isConfigured) return null;
    try {
      if (!(await this.domains.hasRetention())) return null;
      return 'MAIL_STORE is not set, but domains have a retention: their old mail is not removed';
    } catch {
      // `DatabaseCheck` reports a database that does not respond.
      return null;
    }
  }
}
