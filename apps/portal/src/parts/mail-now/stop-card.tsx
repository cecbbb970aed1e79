import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../../texts/texts.js';
import type { Severity } from '../severity.js';

interface StopCardProps {
  severity: Severity;
  what: string;
  /** With its number. */
  why?: ReactNode;
  /** What to do, with the buttons of whoever may. */
  now?: ReactNode;
}

/** One stop: what, why, and what to do now. */
export function StopCard({ severity, what, why, now }: StopCardProps) {
  return (
    <section aria-label={what} className={`portal-stop portal-stop-${severity}`}>
      <div className="portal-stop-what">{what}</div>
      {why !== undefined && why !== false && <Line label={t('mail.why')}>{why}</Line>}
      {now !== undefined && <Line label={t('mail.whatNow')}>{now}</Line>}
    </section>
  );
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Stack gap={4}>
      <Text size="xs" c="dimmed" fw={500}>
        {label}
      </Text>
      {children}
    </Stack>
  );
}
