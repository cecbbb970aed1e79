import { Stack, Text } from '@mantine/core';
import type { Outbound } from '../../../api/shapes.js';
import { MailState } from '../../../parts/mail-now/mail-state.js';
import { formatRate } from '../../../parts/numbers.js';
import { t } from '../../../texts/texts.js';

/** Whether the domain may send now, and how much bounced. */
export function SendingState({ outbound }: { outbound: Outbound }) {
  const { name, verdict, incoming, bounce_rate, bounces, bounce_rate_limit } = outbound;
  return (
    <Stack gap="xs">
      <MailState domain={name} verdict={verdict} incoming={incoming} />
      <Text size="sm" c="dimmed">
        {t('sending.rate', { rate: formatRate(bounce_rate), count: bounces })}{' '}
        {bounce_rate_limit > 0 && t('sending.rateLimit', { limit: formatRate(bounce_rate_limit) })}
      </Text>
    </Stack>
  );
}
