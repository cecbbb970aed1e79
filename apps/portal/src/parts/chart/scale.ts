const STEPS = [1, 2, 4, 5, 10];
/** One label in so many days. */
const DAYS_PER_LABEL = 7;

/** @returns the least round number that is not below the count, and at least 1: the top of a scale from 0 */
export function niceMaximum(count: number): number {
  if (count <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(count));
  const step = STEPS.find((each) => each * power >= count) ?? 10;
  return step * power;
}

/** @returns the days whose date is written below them: the last one, and each seventh before it */
export function labelledDays(days: readonly string[]): string[] {
  return days.filter((_, index) => (days.length - 1 - index) % DAYS_PER_LABEL === 0);
}
