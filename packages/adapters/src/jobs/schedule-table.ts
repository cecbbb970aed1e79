import { DAY_MS, utcDay } from '@mailstead/core/clock';
import { ExpirePendingDomains } from '@mailstead/core/domains/expire-pending-domains';
import { RemindRetention } from '@mailstead/core/domains/remind-retention';
import { Housekeeping } from '@mailstead/core/jobs/housekeeping';
import type { ScheduleHandlers } from '@mailstead/core/jobs/schedules';
import { needs } from '@mailstead/core/needs';
import { ResetDaily, ResetMonthly } from '@mailstead/core/outbound/reset-outbound';
import { AlignIdentities } from '@mailstead/core/relay/align-identities';
import { CheckAccount } from '@mailstead/core/relay/check-account';
import { PlanLooks } from '@mailstead/core/relay/looks/plan-looks';
import { PollVerifications } from '@mailstead/core/relay/poll-verifications';
import { PurgeRetention } from '@mailstead/core/retention/purge-retention';
import { RemoveDeletedMail } from '@mailstead/core/retention/remove-deleted-mail';
import { CompareSuppressions } from '@mailstead/core/suppressions/compare-suppressions';
import { KeepTrailDays } from '@mailstead/core/trail/keep-trail-days';
import { MeasureStorage } from '@mailstead/core/usage/measure-storage';
import { SnapshotUsage } from '@mailstead/core/usage/snapshot-usage';
import { SumMonths } from '@mailstead/core/usage/sum-months';

/** The handlers of all schedules. A schedule without a handler does not compile. */
@needs(
  ResetDaily,
  ResetMonthly,
  PurgeRetention,
  RemoveDeletedMail,
  RemindRetention,
  ExpirePendingDomains,
  PollVerifications,
  AlignIdentities,
  CheckAccount,
  Housekeeping,
  PlanLooks,
  SnapshotUsage,
  MeasureStorage,
  SumMonths,
  KeepTrailDays,
  CompareSuppressions,
)
export class ScheduleTable implements ScheduleHandlers {
  constructor(
    private readonly resetDaily: ResetDaily,
    private readonly resetMonthly: ResetMonthly,
    private readonly purgeRetention: PurgeRetention,
    private readonly removeDeletedMail: RemoveDeletedMail,
    private readonly remindRetention: RemindRetention,
    private readonly expirePendingDomains: ExpirePendingDomains,
    private readonly pollVerifications: PollVerifications,
    private readonly alignIdentities: AlignIdentities,
    private readonly checkAccount: CheckAccount,
    private readonly hourly: Housekeeping,
    private readonly planLooks: PlanLooks,
    private readonly snapshotUsage: SnapshotUsage,
    private readonly measureStorage: MeasureStorage,
    private readonly sumMonths: SumMonths,
    private readonly keepTrailDays: KeepTrailDays,
    private readonly compareSuppressions: CompareSuppressions,
  ) {}

  readonly 'outbound.reset-daily': ScheduleHandlers['outbound.reset-daily'] = async ({ period }) => {
    const dayThatEnded = utcDay(new Date(period.dueAt.getTime() - DAY_MS));
    return { ...(await this.resetDaily.closeDay(dayThatEnded)) };
  };

  readonly 'usage.snapshot': ScheduleHandlers['usage.snapshot'] = (run) => this.snapshotUsage.execute(run);

  readonly 'usage.storage': ScheduleHandlers['usage.storage'] = (run) => this.measureStorage.execute(run);

  readonly 'suppressions.compare': ScheduleHandlers['suppressions.compare'] = (run) =>
    this.compareSuppressions.execute(run);

  readonly 'usage.sum-months': ScheduleHandlers['usage.sum-months'] = (run) => this.sumMonths.execute(run);

  readonly 'outbound.reset-monthly': ScheduleHandlers['outbound.reset-monthly'] = async () => ({
    ...(await this.resetMonthly.closeMonths()),
  });

  readonly 'retention.purge': ScheduleHandlers['retention.purge'] = (run) => this.purgeRetention.execute(run);

  readonly 'deleted-mail.remove': ScheduleHandlers['deleted-mail.remove'] = () => this.removeDeletedMail.execute();

  readonly 'retention.remind': ScheduleHandlers['retention.remind'] = () => this.remindRetention.execute();

  readonly 'pending-domains.expire': ScheduleHandlers['pending-domains.expire'] = () =>
    this.expirePendingDomains.execute();

  readonly 'verification.poll': ScheduleHandlers['verification.poll'] = () => this.pollVerifications.execute('pending');

  readonly 'verification.recheck': ScheduleHandlers['verification.recheck'] = async () => {
    await this.alignIdentities.begin();
    return this.pollVerifications.execute('verified');
  };

  readonly 'relay.account': ScheduleHandlers['relay.account'] = () => this.checkAccount.execute();

  readonly 'trail.days': ScheduleHandlers['trail.days'] = () => this.keepTrailDays.execute();

  readonly housekeeping: ScheduleHandlers['housekeeping'] = async (run) => ({
    ...(await this.hourly.execute(run)),
    dns_looks: await this.planLooks.sweep({ of: 24, remainder: run.period.dueAt.getUTCHours() }),
  });
}
