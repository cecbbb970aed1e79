import type { Count } from '../outbound-api.js';
import { PASS, SENDER_UNKNOWN, UNAVAILABLE } from '../policy/verdict-reply.js';
import { Fallback } from './fallback.js';
import type { Journal } from './journal.js';
import { chargedTo, recipientsIn } from './passed-messages.js';
import type { RefusalMemory } from './refusal-memory.js';

const RECIPIENTS_PER_HOUR = 100;

/**
 * Lets mail pass while the API is unavailable (`POLICY_FAIL=open`): at most 100 recipients per mailbox and hour. Defers
 * the mail of a domain whose last verdict within 24 h was a refusal, and what only the API can check: read receipts and
 * mail that names another sender than its login. Defers all mail when the API last answered that a restore is not
 * accepted. A message that passes is written to the disk before `count` returns, and is counted later.
 */
export class FailOpen extends Fallback {
  private waitsForRestore = false;

  constructor(
    private readonly journal: Journal,
    private readonly refusals: RefusalMemory,
    private readonly now: () => number = Date.now,
  ) {
    super();
  }

  override async preview(domain: string, login: string): Promise<string> {
    if (this.waitsForRestore) return UNAVAILABLE;
    return !this.refusals.has(domain) && this.remainingRecipients(login) > 0 ? PASS : UNAVAILABLE;
  }

  override async count({ claims = [], sessionBegan: _, ...item }: Count): Promise<string> {
    if (this.waitsForRestore) return UNAVAILABLE;
    if (claims.some((claim) => claim !== item.sender)) return SENDER_UNKNOWN;
    if (item.receipt === true) return UNAVAILABLE;
    if (this.journal.passed.has(item.id)) return PASS;
    if (this.refusals.has(item.domain) || this.remainingRecipients(chargedTo(item)) < recipientsIn(item))
      return UNAVAILABLE;
    try {
      await this.journal.add({ ...item, at: this.now() });
      return PASS;
    } catch {
      return UNAVAILABLE;
    }
  }

  override noteRestore(isWaiting: boolean): void {
    this.waitsForRestore = isWaiting;
  }

  override noteVerdict(domain: string, action: string): void {
    this.refusals.note(domain, action !== 'accept');
  }

  private remainingRecipients(login: string): number {
    return RECIPIENTS_PER_HOUR - this.journal.passed.recipientsOf(login, this.now());
  }
}
