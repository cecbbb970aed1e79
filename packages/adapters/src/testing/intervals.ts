/**
 * For `jest.useFakeTimers({ doNotFake })`: fakes only `setInterval`, which renews leases. The database needs the
 * others.
 */
export const NOT_INTERVALS = [
  'Date',
  'clearImmediate',
  'clearTimeout',
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'setTimeout',
] as const;

/** Waits until the condition is true. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
}
