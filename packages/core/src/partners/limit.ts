/** Whether a limit leaves no room for one more; 0 is unlimited. */
export function isFull(limit: number, used: number): boolean {
  return limit !== 0 && used >= limit;
}
