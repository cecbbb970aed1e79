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
