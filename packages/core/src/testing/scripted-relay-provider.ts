import { AppError } from '../errors.js';
import {
  type AlignedIdentity,
  DKIM_FOUND,
  type EnsureOutcome,
  type ListedIdentity,
  type RelayDomain,
  type RelayIdentity,
  RelayProvider,
  type RelayReport,
} from '../relay/relay-provider.js';
import type { RelayTenants } from '../relay/tenants/relay-tenants.js';

/** A provider whose identities a test sets. It is unavailable when `down` is true. */
export class ScriptedRelayProvider extends RelayProvider {
  override readonly lists = true;
  override readonly minCheckIntervalMs = 10_000;
  override configurationSet: string | null = null;
  override readonly alignIntervalMs = 10_000;
  override tenants: RelayTenants | null = null;
  readonly identities = new Map<string, RelayIdentity>();
  readonly foreign = new Set<string>();
  report: RelayReport = { account: null, configurationSet: null };
  readonly lifted: string[] = [];
  down = false;
  calls = 0;

  /** Sets the state that the provider returns for a name. */
  says(name: string, status: RelayIdentity['status'], reason: string | null = null): void {
    this.identities.set(name, {
      status,
      providerStatus: status === 'verified' ? DKIM_FOUND : status,
      reason,
      configurationSet: null,
      atRisk: null,
      records: ['t1', 't2', 't3'].map((key) => ({
        purpose: 'dkim',
        type: 'CNAME',
        name: `${key}._domainkey.${name}`,
        value: `${key}.dkim.example.net`,
      })),
    });
  }

  override async ensureIdentity({ name }: RelayDomain, restart: boolean): Promise<EnsureOutcome> {
    this.called();
    if (this.foreign.has(name)) return { outcome: 'foreign' };
    const known = this.identities.get(name);
    if (known === undefined || (restart && known.status === 'failed')) this.says(name, 'pending');
    return { outcome: 'ours', identity: this.identities.get(name) as RelayIdentity };
  }

  override async readIdentity({ name }: RelayDomain): Promise<RelayIdentity | null> {
    this.called();
    return this.identities.get(name) ?? null;
  }

  override async liftSuppression(address: string): Promise<void> {
    this.called();
    this.lifted.push(address);
  }

  override async alignIdentity(domain: RelayDomain): Promise<AlignedIdentity> {
    return { identity: await this.readIdentity(domain), calls: 1 };
  }

  override async readAccount(): Promise<RelayReport> {
    this.called();
    return this.report;
  }

  override async listIdentities(): Promise<{ listed: ListedIdentity[]; nextToken: string | null }> {
    this.called();
    const listed = [...this.identities].map(([name, { status, atRisk }]) => ({
      name,
      status,
      atRisk: atRisk !== null,
    }));
    return { listed, nextToken: null };
  }

  override async deleteIdentity({ name }: RelayDomain): Promise<void> {
    this.called();
    this.identities.delete(name);
  }

  private called(): void {
    this.calls += 1;
    if (this.down) throw new AppError('relay_unavailable');
  }
}
