import type { QueryClient } from '@tanstack/react-query';

/** What every route gets. */
export interface RouterContext {
  queryClient: QueryClient;
}
