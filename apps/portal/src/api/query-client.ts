import { QueryClient } from '@tanstack/react-query';
import { statusOf } from './problem.js';

const RETRIES_WITHOUT_ANSWER = 2;

/** What the page knows. Events make it old (`stale-parts.ts`), so nothing is asked again at a mere look. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      networkMode: 'always',
      // Only requests without an answer: every answer of the API is its last word.
      retry: (failures, error) => statusOf(error) === null && failures < RETRIES_WITHOUT_ANSWER,
    },
    mutations: { networkMode: 'always' },
  },
});
