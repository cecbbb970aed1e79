/**
 * Repeats a step that handles a chunk of rows, until it finds none. Each chunk is a transaction of its own, so that
 * other work is not delayed.
 *
 * @param step returns the number of rows that it handled
 * @returns the number of rows of all steps
 */
export async function repeatUntilNone(step: () => Promise<number>): Promise<number> {
  for (let total = 0; ; ) {
    const handled = await step();
    if (handled === 0) return total;
    total += handled;
  }
}
