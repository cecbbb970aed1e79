import { queryOptions } from '@tanstack/react-query';
import { api } from './client.js';
import { keys } from './keys.js';
import type { FirstSteps } from './shapes.js';

/** No event tells of a message that was counted. */
const MESSAGE_MS = 4_000;

/** The step that is to be done now; null when all are done. */
export function presentStep({ steps }: FirstSteps): FirstSteps['steps'][number]['step'] | null {
  return steps.find(({ done }) => !done)?.step ?? null;
}

/** Asked again and again while the first message is waited for and the page is seen. */
export function firstStepsQuery(partnerRef: string | undefined) {
  const query = partnerRef === undefined ? {} : { partner_ref: partnerRef };
  return queryOptions({
    queryKey: keys.firstSteps(partnerRef),
    queryFn: async () => (await api.GET('/me/first-steps', { params: { query } })).data as FirstSteps,
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && presentStep(data) === 'message' ? MESSAGE_MS : false,
  });
}
