/**
 * Runs the task for each item, at most `limit` at a time. Items are taken when a task is free, so memory stays flat.
 *
 * @throws the first error of a task or of the items; tasks that run are awaited first, and no further item is taken
 */
export async function inParallel<T>(
  items: AsyncGenerator<T, void, undefined>,
  limit: number,
  task: (item: T) => Promise<void>,
): Promise<void> {
  const state = { hasFailed: false };
  const work = async () => {
    while (!state.hasFailed) {
      const next = await items.next();
      if (next.done === true) return;
      await task(next.value);
    }
  };
  const failed = (error: unknown) => {
    state.hasFailed = true;
    throw error;
  };
  const results = await Promise.allSettled(Array.from({ length: limit }, () => work().catch(failed)));
  await items.return();
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
