import type { ReactNode } from 'react';

/** Lets a wide table scroll by itself, also by keyboard: not every table has something to focus. */
export function Scroll({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div role="group" className="portal-scroll" aria-label={label} tabIndex={0}>
      {children}
    </div>
  );
}
