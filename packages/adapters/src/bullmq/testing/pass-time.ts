import { jest } from '@jest/globals';

/** Lets `performance.now()` be so many milliseconds later, as if they had passed, until the end of the test. */
export function passTime(ms: number): void {
  const now = performance.now.bind(performance);
  jest.spyOn(performance, 'now').mockImplementation(() => now() + ms);
}
