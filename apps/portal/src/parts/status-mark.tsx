import { Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconCircleDashed, IconCircleX, IconClock } from '@tabler/icons-react';

export type Mark = 'good' | 'wait' | 'bad' | 'warn' | 'none';

const MARKS = {
  good: { Icon: IconCircleCheck, color: 'var(--portal-good)' },
  wait: { Icon: IconClock, color: 'var(--portal-wait)' },
  warn: { Icon: IconAlertTriangle, color: 'var(--portal-wait)' },
  bad: { Icon: IconCircleX, color: 'var(--portal-bad)' },
  none: { Icon: IconCircleDashed, color: 'var(--mantine-color-dimmed)' },
};

/** A state as a sign and a word. The colour alone says nothing. */
export function StatusMark({ mark, children }: { mark: Mark; children: string }) {
  const { Icon, color } = MARKS[mark];
  return (
    <Group gap={6} wrap="nowrap" component="span" display="inline-flex">
      <Icon size={16} color={color} aria-hidden style={{ flexShrink: 0 }} />
      <Text component="span" size="sm">
        {children}
      </Text>
    </Group>
  );
}
