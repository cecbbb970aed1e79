import { Group, Progress, Stack, Text } from '@mantine/core';
import { t } from '../texts/texts.js';
import { formatCount } from './numbers.js';

const NEARLY_FULL = 0.8;

/** How much of a limit is used. For every limit 0 means unlimited. */
export function Headroom({ label, used, limit }: { label: string; used: number; limit: number }) {
  const share = limit === 0 ? 0 : used / limit;
  return (
    <Stack gap={4}>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Text size="sm">{label}</Text>
        <Text size="sm" c="dimmed">
          {formatCount(used)} {limit === 0 ? t('page.noLimit') : t('page.ofLimit', { limit: formatCount(limit) })}
        </Text>
      </Group>
      <Progress
        value={Math.min(100, share * 100)}
        color={colorOf(share)}
        size="sm"
        aria-label={
          limit === 0 ? t('page.usedWithoutLimit', { label, used }) : t('page.usedOfLimit', { label, used, limit })
        }
      />
    </Stack>
  );
}

function colorOf(share: number): string {
  if (share >= 1) return 'var(--portal-bad)';
  return share >= NEARLY_FULL ? 'var(--portal-wait)' : 'lake';
}
