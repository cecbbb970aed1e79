import { notifications } from '@mantine/notifications';
import { type QueryKey, type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { sentenceOf } from './problem.js';

/** What the page shows at once, before the service has answered. */
interface Preview {
  queryKey: QueryKey;
  /** Gets what is shown now, or undefined when the query has not been read. */
  show: (now: never) => unknown;
}

export interface Change<Input, Result> {
  run: (input: Input) => Promise<Result>;
  preview?: (input: Input) => Preview[];
  /** The queries that are read again afterwards, whether the change was made or refused. */
  touches: (input: Input) => QueryKey[];
  onDone?: (result: Result, input: Input) => void;
  /** Set by forms, which show the reason beside the field. Otherwise the reason is a notification. */
  onRefused?: (error: unknown) => void;
}

/** A change of something: shown at once, and taken back with the reason when the service refuses it. */
export function useChange<Input, Result>(change: Change<Input, Result>): UseMutationResult<Result, unknown, Input> {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: change.run,
    onMutate: async (input) => {
      const previews = change.preview?.(input) ?? [];
      await Promise.all(previews.map(({ queryKey }) => queryClient.cancelQueries({ queryKey })));
      const before = previews.flatMap(({ queryKey }) => queryClient.getQueriesData({ queryKey }));
      for (const { queryKey, show } of previews) {
        queryClient.setQueriesData({ queryKey }, (now: unknown) => (now === undefined ? now : show(now as never)));
      }
      return before;
    },
    onError: (error, _input, before) => {
      for (const [queryKey, data] of before ?? []) queryClient.setQueryData(queryKey, data);
      if (change.onRefused === undefined)
        notifications.show({ color: 'red', title: 'Not changed', message: sentenceOf(error) });
      else change.onRefused(error);
    },
    onSuccess: (result, input) => change.onDone?.(result, input),
    onSettled: async (_result, _error, input) => {
      await Promise.all(change.touches(input).map((queryKey) => queryClient.invalidateQueries({ queryKey })));
    },
  });
}
