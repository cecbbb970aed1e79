import type { ChangePlan } from '@mailstead/core/plans/change-plan';
import { PLAN_NAMES, PLANS } from '@mailstead/core/plans/plan';
import { domainNameParam } from '../http/parse.js';
import { type Controller, type Route, route } from '../http/route.js';
import { PlanBody, PlanResponse, PlanRow, presentPlan } from './plans-dto.js';

export class PlansController implements Controller {
  constructor(private readonly changePlan: ChangePlan) {}

  routes(): Route[] {
    return [
      route({
        method: 'get',
        path: '/plans',
        access: 'any',
        summary: 'List the plans',
        response: [PlanRow],
        run: () => PLAN_NAMES.map((name) => presentPlan(PLANS[name])),
      }),
      route({
        method: 'put',
        path: '/domains/:domain_name/plan',
        access: 'master',
        scopes: ['billing'],
        summary: 'Change the plan of a domain',
        body: PlanBody,
        response: PlanResponse,
        run: async ({ actor, params, body }) => {
          const name = domainNameParam(params.domain_name);
          const { domain, mailboxesUpdated } = await this.changePlan.execute(
            actor,
            name,
            body.plan,
            body.override ?? false,
          );
          return {
            name,
            plan: body.plan,
            retention_days: domain.retentionDays,
            transfer_monthly_mb: domain.transferMonthlyMb,
            quota_mb: PLANS[body.plan].quotaMb,
            mailboxes_updated: mailboxesUpdated,
          };
        },
      }),
    ];
  }
}
