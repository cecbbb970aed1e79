import type { ReactNode } from 'react';

/** A second fact of a cell: small, behind the first one. The space keeps them apart when they are read aloud. */
export function Second({ children }: { children: ReactNode }) {
  return (
    <>
      {' '}
      <small>{children}</small>
    </>
  );
}
