import { AppError } from '@mailstead/core/errors';
import { needs } from '@mailstead/core/needs';
import { OUTBOUND_TIERS, type OutboundLimits } from '@mailstead/core/outbound/outbound-settings';
import { ResetDaily, ResetMonthly } from '@mailstead/core/outbound/reset-outbound';
import { SetTier } from '@mailstead/core/outbound/set-tier';
import { TierRepository } from '@mailstead/core/outbound/tier-repository';
import type { EveryFieldOf } from '../http/body-fields.js';
import { type Controller, type Route, route } from '../http/route.js';
import {
  DailyResetResponse,
  MonthlyResetResponse,
  presentTier,
  TierBody,
  TierResponse,
} from './outbound-periods-dto.js';

/** Routes for the outbound limits of all domains: tiers and resets. */
@needs(TierRepository, SetTier, ResetDaily, ResetMonthly)
export class OutboundPeriodsController implements Controller {
  constructor(
    private readonly tiers: TierRepository,
    private readonly setTier: SetTier,
    private readonly resetDaily: ResetDaily,
    private readonly resetMonthly: ResetMonthly,
  ) {}

  routes(): Route[] {
    return [
      route({
        method: 'get',
        path: '/outbound/tiers',
        access: 'any',
        summary: 'List the tiers and their limits',
        response: [TierResponse],
        run: async () => {
          const limits = await this.tiers.list();
          return OUTBOUND_TIERS.map((tier) => presentTier(tier, limits[tier]));
        },
      }),
      route({
        method: 'put',
        path: '/outbound/tiers/:tier',
        access: 'master',
        summary: 'Set the limits of a tier, for all domains of the tier',
        body: TierBody,
        response: TierResponse,
        run: async ({ actor, params, body }) => {
          const tier = OUTBOUND_TIERS.find((each) => each === params.tier);
          if (tier === undefined) throw new AppError('tier_not_found');
          const limits = {
            dailyLimit: body.daily_limit,
            monthlyLimit: body.monthly_limit,
          } satisfies EveryFieldOf<TierBody, OutboundLimits>;
          await this.setTier.execute(actor, tier, limits);
          return presentTier(tier, limits);
        },
      }),
      route({
        method: 'post',
        path: '/outbound/reset-daily',
        access: 'master',
        summary: 'Set the daily counters of all domains to 0',
        response: DailyResetResponse,
        run: ({ actor }) => this.resetDaily.execute(actor),
      }),
      route({
        method: 'post',
        path: '/outbound/reset-monthly',
        access: 'master',
        summary: 'Write the monthly counters of all domains into their history and set them to 0',
        response: MonthlyResetResponse,
        run: ({ actor }) => this.resetMonthly.execute(actor),
      }),
    ];
  }
}
