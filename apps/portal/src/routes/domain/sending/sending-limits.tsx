import { Stack, Text } from '@mantine/core';
import type { Outbound } from '../../../api/shapes.js';
import { Headroom } from '../../../parts/headroom.js';
import { formatLimit } from '../../../parts/numbers.js';
import { Section } from '../../../parts/page.js';
import { Time } from '../../../parts/time.js';

/** The limits that hold now, and what is used of them. */
export function SendingLimits({ outbound }: { outbound: Outbound }) {
  const { outbound_tier, outbound_enforcement, daily_limit, monthly_limit, sent_today, sent_this_month } = outbound;
  const { operator_until, limits_after, inherited_from } = outbound;
  return (
    <Section title="Limits">
      <Stack gap="sm">
        <Headroom label="Today (UTC)" used={sent_today} limit={daily_limit} />
        <Headroom label="This month (UTC)" used={sent_this_month} limit={monthly_limit} />
        {operator_until !== null && limits_after !== null && (
          <Text size="sm">
            Until <Time at={operator_until} />; then {formatLimit(limits_after.daily_limit)} a day and{' '}
            {formatLimit(limits_after.monthly_limit)} a month.
          </Text>
        )}
        <Text size="sm" c="dimmed">
          Tier {outbound_tier}
          {inherited_from === null ? '' : `, verified through ${inherited_from}`}.{' '}
          {outbound_enforcement === 'monitor'
            ? 'Limits only count and report: nothing is stopped.'
            : 'Mail above a limit waits at the mail server.'}
        </Text>
      </Stack>
    </Section>
  );
}
