import { invalidField } from '@mailstead/core/errors';
import { needs } from '@mailstead/core/needs';
import { ChangePlan, type PlanChange } from '@mailstead/core/plans/change-plan';
import { PLAN_NAMES, PLANS } from '@mailstead/core/plans/plan';
import type { EveryFieldOf } from '../http/body-fields.js';
import { domainNameParam } from '../http/parse.js';
import { type Controller, type Route, route } from '../http/route.js';
import { PlanBody, PlanResponse, PlanRow, presentPlan } from './plans-dto.js';

@needs(ChangePlan)
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
        errors: ['billing_ref_differs'],
        body: PlanBody,
        response: PlanResponse,
        run: async ({ actor, params, body }) => {
          const name = domainNameParam(params.domain_name);
          const change = {
            plan: body.plan,
            override: body.override ?? false,
            billing: billingOf(body),
          } satisfies EveryFieldOf<PlanBody, PlanChange, 'billing_ref' | 'replaces'>;
          const { domain, mailboxesUpdated } = await this.changePlan.execute(actor, name, change);
          return {
            name,
            plan: body.plan,
            retention_days: domain.retentionDays,
            transfer_monthly_mb: domain.transferMonthlyMb,
            quota_mb: PLANS[body.plan].quotaMb,
            revision: domain.revision,
            mailboxes_updated: mailboxesUpdated,
          };
        },
      }),
    ];
  }
}

function billingOf({ billing_ref: ref, replaces }: PlanBody): PlanChange['billing'] {
  if (ref === undefined && replaces !== undefined) throw invalidField('replaces', 'needs billing_ref');
  return ref === undefined ? undefined : { ref, replaces: replaces ?? null };
}
