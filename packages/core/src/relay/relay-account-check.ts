import { HealthCheck, type Warning } from '../health-check.js';
import { needs } from '../needs.js';
import { ReadAccount } from './read-account.js';

/** Warns of an account at the relay provider that needs somebody, and of events that nobody hears. */
@needs(ReadAccount)
export class RelayAccountCheck extends HealthCheck {
  override readonly name = 'relay';
  override readonly isWarning = true;

  constructor(private readonly readAccount: Pick<ReadAccount, 'warnings'>) {
    super();
  }

  override async problem(): Promise<string | null> {
    return (await this.problems())[0]?.detail ?? null;
  }

  override async problems(): Promise<Warning[]> {
    try {
      return await this.readAccount.warnings();
    } catch {
      // `DatabaseCheck` reports a database that does not respond.
      return [];
    }
  }
}
