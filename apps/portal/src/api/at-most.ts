/**
 * Runs a task for each item, at most so many at a time, in the order of the items. The first task that throws ends it:
 * no further one begins.
 */
export async function atMost<Item>(
  limit: number,
  items: readonly Item[],
  run: (item: Item) => Promise<void>,
): Promise<void> {
  const left = items.values();
  let hasFailed = false;
  const work = async () => {
    for (const item of left) {
      if (hasFailed) return;
      try {
        await run(item);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: limit }, work));
}
