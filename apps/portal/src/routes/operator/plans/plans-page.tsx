import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { plansQuery, tiersQuery } from '../../../api/plans.js';
import type { Plan, Tier } from '../../../api/shapes.js';
import { FactsTable } from '../../../parts/facts-table.js';
import { formatCount, formatLimit, formatMegabytes } from '../../../parts/numbers.js';
import { Page, Section } from '../../../parts/page.js';
import { Queried } from '../../../parts/queried.js';
import type { Column } from '../../../parts/table/column.js';
import { useView } from '../../frame/view.js';
import { ChangeTier } from './change-tier.js';

const PLAN_COLUMNS: Column<Plan>[] = [
  { head: 'Plan', cell: ({ plan }) => plan },
  {
    head: 'Mail is kept',
    align: 'end',
    cell: ({ retention_days }) => (retention_days === 0 ? 'for ever' : `${formatCount(retention_days)} days`),
  },
  { head: 'Transfer a month', align: 'end', cell: ({ transfer_monthly_mb }) => megabytes(transfer_monthly_mb) },
  { head: 'Storage of a mailbox', align: 'end', cell: ({ quota_mb }) => megabytes(quota_mb) },
];

const TIER_COLUMNS: Column<Tier>[] = [
  { head: 'Tier', cell: ({ tier }) => tier },
  { head: 'Recipients a day', align: 'end', cell: ({ daily_limit }) => formatLimit(daily_limit) },
  { head: 'Recipients a month', align: 'end', cell: ({ monthly_limit }) => formatLimit(monthly_limit) },
];

const CHANGE_TIER: Column<Tier> = { head: 'Change', phone: 'bare', cell: (tier) => <ChangeTier tier={tier} /> };

/** What the plans and tiers give a domain. */
export function PlansPage() {
  const plans = useQuery(plansQuery);
  const tiers = useQuery(tiersQuery);
  const maySet = useView().may('putOutboundTiersTier');
  return (
    <Page title="Plans and tiers">
      <Stack gap="lg">
        <Section title="Plans">
          <Text size="sm">What a domain gets with each plan. The values are settings of the service.</Text>
          <Queried query={plans}>
            {(rows) => <FactsTable label="Plans" rows={rows} keyOf={({ plan }) => plan} columns={PLAN_COLUMNS} />}
          </Queried>
        </Section>
        <Section title="Tiers">
          <Text size="sm">A tier limits how much a domain may send. A change takes effect at once.</Text>
          <Queried query={tiers}>
            {(rows) => (
              <FactsTable
                label="Tiers"
                rows={rows}
                keyOf={({ tier }) => tier}
                columns={maySet ? [...TIER_COLUMNS, CHANGE_TIER] : TIER_COLUMNS}
              />
            )}
          </Queried>
        </Section>
      </Stack>
    </Page>
  );
}

function megabytes(mb: number): string {
  return mb === 0 ? 'unlimited' : formatMegabytes(mb);
}
