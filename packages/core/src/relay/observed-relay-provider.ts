import { type Clock, MINUTE_MS, SECOND_MS } from '../clock.js';
import { AppError } from '../errors.js';
import type { RestoreGate } from '../recovery/restore-gate.js';
import type { RelayCalls, RelayOperation } from './relay-calls.js';
import {
  type AlignedIdentity,
  type EnsureOutcome,
  type ListedIdentity,
  type RelayDomain,
  type RelayIdentity,
  RelayProvider,
  type RelayReport,
} from './relay-provider.js';
import { type Observe, ObservedTenants } from './tenants/observed-tenants.js';
import type { RelayTenants } from './tenants/relay-tenants.js';

/**
 * How old the stored time of the last call may be. A first failure, and a first success after it, are stored at once.
 */
const STORED_EVERY_MS = { success: MINUTE_MS, failure: 10 * SECOND_MS };

type CallOutcome = keyof typeof STORED_EVERY_MS;

/**
 * Passes calls on to a relay provider, but none while a restored database is not accepted, and stores when one last
 * succeeded and when one last failed.
 */
export class ObservedRelayProvider extends RelayProvider {
  override readonly tenants: RelayTenants | null;
  private lastNoted: { outcome: CallOutcome; at: number } | null = null;

  constructor(
    private readonly provider: RelayProvider,
    private readonly calls: RelayCalls,
    private readonly clock: Clock,
    private readonly gate: Pick<RestoreGate, 'refuse'>,
  ) {
    super();
    const observe: Observe = (call) => this.observed('tenants', call);
    this.tenants = provider.tenants === null ? null : new ObservedTenants(provider.tenants, observe);
  }

  override get lists(): boolean {
    return this.provider.lists;
  }

  override get minCheckIntervalMs(): number {
    return this.provider.minCheckIntervalMs;
  }

  override get configurationSet(): string | null {
    return this.provider.configurationSet;
  }

  override get alignIntervalMs(): number {
    return this.provider.alignIntervalMs;
  }

  override ensureIdentity(domain: RelayDomain, restart: boolean): Promise<EnsureOutcome> {
    return this.observed('ensure_identity', () => this.provider.ensureIdentity(domain, restart));
  }

  override readIdentity(domain: RelayDomain): Promise<RelayIdentity | null> {
    return this.observed('get_identity', () => this.provider.readIdentity(domain));
  }

  override alignIdentity(domain: RelayDomain): Promise<AlignedIdentity> {
    return this.observed('align_identity', () => this.provider.alignIdentity(domain));
  }

  override readAccount(): Promise<RelayReport> {
    return this.observed('read_account', () => this.provider.readAccount());
  }

  override listIdentities(pageToken: string | null): Promise<{ listed: ListedIdentity[]; nextToken: string | null }> {
    return this.observed('list_identities', () => this.provider.listIdentities(pageToken));
  }

  override deleteIdentity(domain: RelayDomain): Promise<void> {
    return this.observed('delete_identity', () => this.provider.deleteIdentity(domain));
  }

  override liftSuppression(address: string): Promise<void> {
    return this.observed('lift_suppression', () => this.provider.liftSuppression(address));
  }

  private async observed<T>(operation: RelayOperation, call: () => Promise<T>): Promise<T> {
    this.gate.refuse();
    try {
      const answer = await call();
      await this.note('success', (at) => this.calls.noteSuccess({ at, operation }));
      return answer;
    } catch (error) {
      if (error instanceof AppError && error.kind === 'unavailable') {
        await this.note('failure', (at) => this.calls.noteFailure({ at, operation, reason: error.message }));
      }
      throw error;
    }
  }

  /** Without the database the call still counts: what it answered is worth more than the note. */
  private async note(outcome: CallOutcome, store: (at: Date) => Promise<void>): Promise<void> {
    const at = this.clock.now();
    const last = this.lastNoted;
    if (last?.outcome === outcome && at.getTime() < last.at + STORED_EVERY_MS[outcome]) return;
    this.lastNoted = { outcome, at: at.getTime() };
    await store(at).catch(() => {
      this.lastNoted = null;
    });
  }
}
