/** Whether the limit is reached, so that nothing more may be added; 0 is unlimited. */
export function isFull(limit: number, used: number): boolean {
  return limit !== 0 && used >= limit;
}
