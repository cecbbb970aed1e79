import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatCount } from '../../parts/numbers.js';
import { Card } from '../../parts/page.js';

/** Numbers beside each other, as a list. */
export function NumberStrip({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Card label={label}>
      <ul className="portal-strip">{children}</ul>
    </Card>
  );
}

interface NumberedProps {
  /** Nothing is shown of a number that the reader may not know. */
  count: number | null | undefined;
  label: ReactNode;
  /** What belongs to the number, such as its limit. */
  note?: ReactNode;
}

export function Numbered({ count, label, note }: NumberedProps) {
  if (count === null || count === undefined) return null;
  return (
    <li>
      <Text size="xs" c="dimmed" fw={500} component="div" className="portal-inherit">
        {label}
      </Text>
      <div className="portal-number">{formatCount(count)}</div>
      {note !== undefined && note !== false && (
        <Text size="xs" c="dimmed" component="div">
          {note}
        </Text>
      )}
    </li>
  );
}
