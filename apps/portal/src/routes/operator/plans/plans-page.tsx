import { Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { plansQuery, tiersQuery } from '../../../api/plans.js';
import type { Plan } from '../../../api/shapes.js';
import { FactsTable } from '../../../parts/facts-table.js';
import { formatCount, formatLimit, formatMegabytes } from '../../../parts/numbers.js';
import { Page, Section } from '../../../parts/page.js';
import { Queried } from '../../../parts/queried.js';
import { useView } from '../../frame/view.js';
import { ChangeTier } from './change-tier.js';

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
            {(rows) => (
              <FactsTable label="Plans" columns={['Plan', 'Mail is kept', 'Transfer a month', 'Storage of a mailbox']}>
                {rows.map((plan) => (
                  <PlanRow key={plan.plan} plan={plan} />
                ))}
              </FactsTable>
            )}
          </Queried>
        </Section>
        <Section title="Tiers">
          <Text size="sm">A tier limits how much a domain may send. A change takes effect at once.</Text>
          <Queried query={tiers}>
            {(rows) => (
              <FactsTable
                label="Tiers"
                columns={['Tier', 'Recipients a day', 'Recipients a month', ...(maySet ? ['Change'] : [])]}
              >
                {rows.map((tier) => (
                  <Table.Tr key={tier.tier}>
                    <Table.Th scope="row">{tier.tier}</Table.Th>
                    <Table.Td>{formatLimit(tier.daily_limit)}</Table.Td>
                    <Table.Td>{formatLimit(tier.monthly_limit)}</Table.Td>
                    {maySet && (
                      <Table.Td>
                        <ChangeTier tier={tier} />
                      </Table.Td>
                    )}
                  </Table.Tr>
                ))}
              </FactsTable>
            )}
          </Queried>
        </Section>
      </Stack>
    </Page>
  );
}

function PlanRow({ plan: { plan, retention_days, transfer_monthly_mb, quota_mb } }: { plan: Plan }) {
  const megabytes = (mb: number) => (mb === 0 ? 'unlimited' : formatMegabytes(mb));
  return (
    <Table.Tr>
      <Table.Th scope="row">{plan}</Table.Th>
      <Table.Td>{retention_days === 0 ? 'for ever' : `${formatCount(retention_days)} days`}</Table.Td>
      <Table.Td>{megabytes(transfer_monthly_mb)}</Table.Td>
      <Table.Td>{megabytes(quota_mb)}</Table.Td>
    </Table.Tr>
  );
}
