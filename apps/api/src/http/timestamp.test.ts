import { timestamp } from './timestamp.js';

describe('a time in a response', () => {
  it.each([
    ['2026-03-01T12:00:00.000Z', '2026-03-01T12:00:00.000'],
    ['0000-01-01T00:00:00.000Z', '0000-01-01T00:00:00.000'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999'],
    ['+010000-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999'],
    ['-000001-12-31T23:59:59.999Z', '0000-01-01T00:00:00.000'],
  ])('%s is %s: UTC without a suffix, and a year of four digits', (at, shown) => {
    expect(timestamp(new Date(at))).toBe(shown);
  });
});
