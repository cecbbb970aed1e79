import { Clock } from '../clock.js';
import { type JobCounts, JobQueue } from '../jobs/jobs.js';
import { runKey } from '../jobs/run-requested.js';
import { needs, token } from '../needs.js';
import { Notifier } from '../notifications/notifier.js';
import { UnitOfWork } from '../unit-of-work.js';
import { RelayProvider } from './relay-provider.js';
import { RelayStates, type StoredReport } from './relay-state.js';
import { relayWarnings } from './relay-warnings.js';
import { Tenants } from './tenants/tenants.js';
import { TidyTenants } from './tenants/tidy-tenants.js';

const SCHEDULE = 'relay.account';

export interface ListenerOptions {
  /** `RELAY_PROVIDER`. */
  provider: string;
  /** The topics whose messages are accepted; empty for a provider without topics. */
  topics: readonly string[];
}
export const ListenerOptions = token<ListenerOptions>('ListenerOptions');

/** Reads the account at the relay provider, stores it, and notifies of each warning that begins. */
@needs(UnitOfWork, RelayProvider, RelayStates, Tenants, TidyTenants, Notifier, JobQueue, Clock, ListenerOptions)
export class CheckAccount {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly provider: RelayProvider,
    private readonly states: RelayStates,
    private readonly tenants: Tenants,
    private readonly tidyTenants: TidyTenants,
    private readonly notifier: Notifier,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
    private readonly options: ListenerOptions,
  ) {}

  /** Asks for a check now, when a process starts. Never rejects: the schedule makes the next one. */
  async request(): Promise<void> {
    if (this.provider.configurationSet === null) return;
    await this.jobs.enqueue('schedule.run', { name: SCHEDULE }, { key: runKey(SCHEDULE) }).catch(() => undefined);
  }

  /** @throws AppError relay_unavailable; what an earlier check found stays. */
  async execute(): Promise<JobCounts> {
    const report: StoredReport = { provider: this.options.provider, ...(await this.provider.readAccount()) };
    const tidied = await this.tidyTenants.execute();
    return { ...tidied, ...(await this.store(report)) };
  }

  private store(report: StoredReport): Promise<{ warnings: number }> {
    return this.unitOfWork.run(async () => {
      const now = this.clock.now();
      const former = await this.states.lock();
      const isOther = former.report !== null && former.report.provider !== report.provider;
      if (isOther) await this.states.forgetTraffic();
      const problems = this.provider.tenants === null ? null : await this.tenants.problems();
      const state = isOther ? await this.states.lock() : former;
      const warnings = relayWarnings({ ...state, report }, this.options.topics, problems, now);
      for (const { name, detail } of warnings) {
        if (!former.warnings.includes(name)) {
          await this.notifier.notify('relay.warning', null, now, { warning: name, detail });
        }
      }
      await this.states.saveReport(
        report,
        warnings.map(({ name }) => name),
        now,
      );
      return { warnings: warnings.length };
    });
  }
}
