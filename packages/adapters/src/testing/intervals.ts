/** For `jest.useFakeTimers({ doNotFake })`: all but `setInterval`, by which leases are renewed; the database needs the rest. */
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

/** Waits until something holds. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setImmediate(resolve));
}
