import { Clock } from '../clock.js';
import { needs } from '../needs.js';
import { ListenerOptions } from './check-account.js';
import { RelayProvider } from './relay-provider.js';
import { type RelayState, RelayStates } from './relay-state.js';
import { type RelayWarning, relayWarnings } from './relay-warnings.js';
import { Tenants } from './tenants/tenants.js';
import { type AlignmentCounts, VerificationRepository } from './verification-repository.js';

export interface RelayOverview {
  provider: string;
  /** With the report of this provider alone. */
  state: RelayState;
  /** Null for a provider without configuration sets. */
  identities: AlignmentCounts | null;
  warnings: RelayWarning[];
}

/** Reads what the last check of the account found, and what holds now. */
@needs(RelayProvider, RelayStates, Tenants, VerificationRepository, Clock, ListenerOptions)
export class ReadAccount {
  constructor(
    private readonly provider: RelayProvider,
    private readonly states: RelayStates,
    private readonly tenants: Tenants,
    private readonly verifications: VerificationRepository,
    private readonly clock: Clock,
    private readonly options: ListenerOptions,
  ) {}

  async execute(): Promise<RelayOverview> {
    const { configurationSet } = this.provider;
    const state = await this.present();
    return {
      provider: this.options.provider,
      state,
      identities: configurationSet === null ? null : await this.verifications.countAligned(configurationSet),
      warnings: await this.warningsOf(state),
    };
  }

  async warnings(): Promise<RelayWarning[]> {
    return this.warningsOf(await this.present());
  }

  /** Without what was found at another provider, until the first check of this one. */
  private async present(): Promise<RelayState> {
    const state = await this.states.read();
    return state.report?.provider === this.options.provider ? state : { ...state, report: null, checkedAt: null };
  }

  private async warningsOf(state: RelayState): Promise<RelayWarning[]> {
    const problems = this.provider.tenants === null ? null : await this.tenants.problems();
    return relayWarnings(state, this.options.topics, problems, this.clock.now());
  }
}
