import { Group, Stack, Text } from '@mantine/core';
import { t } from '../texts/texts.js';
import { Bar } from './bar.js';
import { formatCount } from './numbers.js';

const NEARLY_FULL = 0.8;

interface Use {
  label: string;
  used: number;
  /** For every limit 0 means unlimited. */
  limit: number;
}

/** How much of a limit is used, with the numbers. */
export function Headroom({ label, used, limit }: Use) {
  return (
    <Stack gap={4}>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Text size="sm">{label}</Text>
        <Text size="sm" c="dimmed">
          {formatCount(used)} {limitWords(limit)}
        </Text>
      </Group>
      <UsedBar label={label} used={used} limit={limit} />
    </Stack>
  );
}

/** How much of a limit is used, as a bar. */
export function UsedBar({ label, used, limit }: Use) {
  const share = limit === 0 ? 0 : used / limit;
  return (
    <Bar
      share={share}
      severity={severityOf(share)}
      label={limit === 0 ? t('page.usedWithoutLimit', { label, used }) : t('page.usedOfLimit', { label, used, limit })}
    />
  );
}

/** What follows the number that is used. */
export function limitWords(limit: number): string {
  return limit === 0 ? t('page.noLimit') : t('page.ofLimit', { limit: formatCount(limit) });
}

function severityOf(share: number): 'bad' | 'wait' | undefined {
  if (share >= 1) return 'bad';
  return share >= NEARLY_FULL ? 'wait' : undefined;
}
