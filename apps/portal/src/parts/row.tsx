import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Severity } from './severity.js';

interface RowProps {
  /** Of the edge; none without one. */
  severity?: Severity | null;
  title: ReactNode;
  status?: ReactNode;
  /** What to do, or what is known. */
  children?: ReactNode;
}

/** The rows of a card, which reach its edges. */
export function Rows({ children }: { children: ReactNode }) {
  return <div className="portal-rows">{children}</div>;
}

/** Something that needs somebody: what it is, its state, and what to do. */
export function Row({ severity = null, title, status, children }: RowProps) {
  return (
    <div className={severity === null ? 'portal-row' : `portal-row portal-row-${severity}`}>
      <Stack gap={0} miw={0}>
        {title}
        {children}
      </Stack>
      {status !== undefined && <div>{status}</div>}
    </div>
  );
}
