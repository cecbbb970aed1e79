import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { isOperator } from '../../api/caller.js';
import { type MonthOfUsage, SHOWN_ROWS, usageQuery } from '../../api/usage.js';
import { formatCount } from '../../parts/numbers.js';
import { Page } from '../../parts/page.js';
import { Queried } from '../../parts/queried.js';
import { Empty } from '../../parts/states.js';
import { formatDay } from '../../parts/time.js';
import { useView } from '../frame/view.js';
import { SaveUsage } from './save-usage.js';
import { UsageChoice } from './usage-choice.js';
import { closesAt, formatMonth, latestMonth } from './usage-months.js';
import { UsageSumsTable } from './usage-sums-table.js';
import { UsageTable } from './usage-table.js';

const route = getRouteApi('/in/usage');

/** What each domain used in a month, deleted domains included, with the sums of the month. */
export function UsagePage() {
  const { caller, partnerRef } = useView();
  const search = route.useSearch();
  const month = search.month ?? latestMonth(new Date());
  const isOfAll = isOperator(caller) && partnerRef === undefined;
  const partner = partnerRef ?? (isOfAll ? search.partner : undefined);
  const query = useQuery(usageQuery(month, partner));
  return (
    <Page title="Usage" actions={<SaveUsage month={month} partner={partner} />}>
      <UsageChoice key={`${month} ${partner}`} month={month} partner={isOfAll ? (partner ?? '') : null} />
      <Text size="sm">{sentenceOfState(month, new Date())}</Text>
      <Queried query={query} what="Reading the month">
        {(usage) => <Month month={month} usage={usage} hasPartners={isOfAll && partner === undefined} />}
      </Queried>
    </Page>
  );
}

function sentenceOfState(month: string, now: Date): string {
  const closes = closesAt(month);
  if (now >= closes) return `${formatMonth(month)} is closed: its numbers do not change any more.`;
  const day = formatDay(closes.toISOString().slice(0, 10));
  return `${formatMonth(month)} is open: it closes on ${day}, 00:00 UTC. Days that have not ended are not included.`;
}

function Month({
  month,
  usage: { rows, sums },
  hasPartners,
}: {
  month: string;
  usage: MonthOfUsage;
  hasPartners: boolean;
}) {
  if (rows.length === 0)
    return (
      <Empty title={`No usage in ${formatMonth(month)}`}>
        A domain appears here after the first day (UTC) on which it existed has ended.
      </Empty>
    );
  return (
    <Stack gap="lg">
      <UsageSumsTable sums={sums} />
      <Stack gap="xs">
        <UsageTable rows={rows} isWhole={sums.total.rows <= SHOWN_ROWS} hasPartners={hasPartners} />
        <Text size="sm" c="dimmed" role="status">
          {sums.total.rows > SHOWN_ROWS
            ? `The first ${formatCount(rows.length)} of ${formatCount(sums.total.rows)} rows are shown. The sums and the CSV file have all of them.`
            : `All ${formatCount(rows.length)} rows are shown.`}
        </Text>
      </Stack>
    </Stack>
  );
}
