import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failing, Loading } from './states.js';

/** Presents what a query read, or its state. What was read once stays while it is read again. */
export function Queried<Data>({
  query,
  what,
  children,
}: {
  query: UseQueryResult<Data, unknown>;
  what?: string;
  children: (data: Data) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.error !== null) return <Failing error={query.error} reset={() => void query.refetch()} />;
  return <Loading {...(what === undefined ? {} : { what })} />;
}
