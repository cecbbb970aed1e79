import { Stack, Text } from '@mantine/core';
import type { Outbound } from '../../../api/shapes.js';
import { Headroom } from '../../../parts/headroom.js';
import { formatLimit } from '../../../parts/numbers.js';
import { Section } from '../../../parts/page.js';
import { Time } from '../../../parts/time.js';
import { rich, t } from '../../../texts/texts.js';

/** The limits that hold now, and what is used of them. */
export function SendingLimits({ outbound }: { outbound: Outbound }) {
  const { outbound_tier, outbound_enforcement, daily_limit, monthly_limit, sent_today, sent_this_month } = outbound;
  const { operator_until, limits_after, inherited_from } = outbound;
  return (
    <Section title={t('sending.limits')}>
      <Stack gap="sm">
        <Headroom label={t('sending.today')} used={sent_today} limit={daily_limit} />
        <Headroom label={t('sending.thisMonth')} used={sent_this_month} limit={monthly_limit} />
        {operator_until !== null && limits_after !== null && (
          <Text size="sm">
            {rich('sending.until', {
              time: () => <Time at={operator_until} />,
              daily: formatLimit(limits_after.daily_limit),
              monthly: formatLimit(limits_after.monthly_limit),
            })}
          </Text>
        )}
        <Text size="sm" c="dimmed">
          {inherited_from === null
            ? t('sending.tier', { tier: outbound_tier })
            : t('sending.tierThrough', { tier: outbound_tier, parent: inherited_from })}{' '}
          {t(outbound_enforcement === 'monitor' ? 'sending.onlyCounted' : 'sending.aboveWaits')}
        </Text>
      </Stack>
    </Section>
  );
}
