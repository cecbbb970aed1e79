import { notifications } from '@mantine/notifications';
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { t } from '../texts/texts.js';
import { type Key, keys } from './keys.js';
import { sentenceOf, statusOf } from './problem.js';

/** What the page shows at once, before the service has answered. */
interface Preview {
  queryKey: Key;
  /** Gets what is shown now. */
  show: (now: never) => unknown;
}

/** A change that the API makes, and what it makes old. */
export interface Change<Input, Result> {
  run: (input: Input) => Promise<Result>;
  preview?: (input: Input) => Preview[];
  /** The queries that are read again afterwards, whether the change was made or refused. */
  touches: readonly Key[];
  /** The queries of what exists no more after the change. */
  removes?: readonly Key[];
}

/** What the screen makes of the answer. */
interface Answered<Input, Result> {
  /** Nothing is read again before it has ended, so that it may leave a screen whose subject is gone. */
  onDone?: (result: Result, input: Input) => unknown;
  /** Set by forms, which show the reason beside the field. Otherwise the reason is a notification. */
  onRefused?: (error: unknown) => void;
}

/** Declares a change, so that the compiler checks it where it is written. */
export function change<Input, Result>(declared: Change<Input, Result>): Change<Input, Result> {
  return declared;
}

/** A change of something: shown at once, and taken back with the reason when the service refuses it. */
export function useChange<Input, Result>(
  { run, preview, touches, removes = [] }: Change<Input, Result>,
  { onDone, onRefused = sayItIsRefused }: Answered<Input, Result> = {},
): UseMutationResult<Result, unknown, Input> {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: run,
    onMutate: async (input) => {
      const previews = preview?.(input) ?? [];
      await Promise.all(previews.map(({ queryKey }) => queryClient.cancelQueries({ queryKey })));
      const before = previews.flatMap(({ queryKey }) => queryClient.getQueriesData({ queryKey }));
      for (const { queryKey, show } of previews) {
        queryClient.setQueriesData({ queryKey }, (now: unknown) => (now === undefined ? now : show(now as never)));
      }
      return before;
    },
    onError: (error, _input, before) => {
      for (const [queryKey, data] of before ?? []) queryClient.setQueryData(queryKey, data);
      // What the caller may have changed: the page then offers it no longer.
      if (statusOf(error) === 403) void queryClient.invalidateQueries({ queryKey: keys.session });
      onRefused(error);
    },
    onSuccess: async (result, input) => {
      await onDone?.(result, input);
      for (const queryKey of removes) queryClient.removeQueries({ queryKey });
    },
    onSettled: () => Promise.all(touches.map((queryKey) => queryClient.invalidateQueries({ queryKey }))),
  });
}

/** For a change whose reason somebody else shows, as `offerUndo` does. */
export const SILENT = { onRefused: () => undefined };

/** A notification with the reason. */
export function sayItIsRefused(error: unknown): void {
  notifications.show({ color: 'red', title: t('page.refused'), message: sentenceOf(error) });
}
