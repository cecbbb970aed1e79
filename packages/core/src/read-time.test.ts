import { dayStart, readOwnTime, readTime } from './read-time.js';

describe('a time that others wrote', () => {
  it.each([
    ['2026-03-01', '2026-03-01T00:00:00.000Z'],
    ['2026-03-01T10:11', '2026-03-01T10:11:00.000Z'],
    ['2026-03-01T10:11:12', '2026-03-01T10:11:12.000Z'],
    ['2026-03-01 10:11:12', '2026-03-01T10:11:12.000Z'],
    ['2026-03-01T10:11:12.345', '2026-03-01T10:11:12.345Z'],
  ])('without a zone is UTC: %s', (text, expected) => {
    expect(readTime(text)?.toISOString()).toBe(expected);
  });

  it.each([
    ['2026-03-01T10:11:12.3Z', '2026-03-01T10:11:12.300Z'],
    ['2026-03-01t10:11:12.345678901z', '2026-03-01T10:11:12.345Z'],
    ['2026-03-01T00:30:00+01:00', '2026-02-28T23:30:00.000Z'],
    ['2026-03-01T00:30:00-0930', '2026-03-01T10:00:00.000Z'],
  ])('with a zone is of that: %s', (text, expected) => {
    expect(readTime(text)?.toISOString()).toBe(expected);
  });

  it.each([
    '',
    'yesterday',
    '1772359872',
    '2026-02-30',
    '2026-3-1',
    '2026-03-01T24:00:00Z',
    '2026-03-01T10:60',
    '2026-03-01T10:11:12+24:00',
    '2026-03-01T10:11:12 GMT',
    'Sun, 01 Mar 2026 10:11:12 GMT',
    '9999-12-31T23:59:59-01:00',
    '0000-01-01T00:00:00+01:00',
  ])('is none: %s', (text) => {
    expect(readTime(text)).toBeNull();
  });

  it('that this software wrote is read, and another text is an error', () => {
    expect(readOwnTime('2026-03-01T10:11:12.345Z').getTime()).toBe(Date.UTC(2026, 2, 1, 10, 11, 12, 345));
    expect(() => readOwnTime('soon')).toThrow('A stored time is not one of ISO 8601');
  });

  it('of a day is its first moment in UTC', () => {
    expect(dayStart('2026-03-01').toISOString()).toBe('2026-03-01T00:00:00.000Z');
  });
});
