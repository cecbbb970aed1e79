import { queryOptions } from '@tanstack/react-query';
import { api } from './client.js';
import { keys } from './keys.js';
import type { Caller } from './shapes.js';

/** The caller with what is used of its limits now. */
export const meQuery = queryOptions({
  queryKey: keys.me,
  queryFn: async () => (await api.GET('/me')).data as Caller,
});
