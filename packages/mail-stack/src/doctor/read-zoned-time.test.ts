import { readZonedTime } from './read-zoned-time.js';

const NOON = Date.UTC(2026, 2, 1, 12);

describe('a time of another program', () => {
  it.each([
    ['HTTP', 'Sun, 01 Mar 2026 12:00:00 GMT'],
    ['a certificate', 'Mar  1 12:00:00 2026 GMT'],
    ['mailstead-holds', '2026-03-01T12:00:00.000Z'],
  ])('of %s is that of the zone that it names', (_, text) => {
    expect(readZonedTime(text)).toBe(NOON);
  });

  it.each(['2026-03-01T12:00:00', 'Sun Mar  1 12:00:00 2026', 'Mar  1 12:00:00 2026', '', 'soon GMT', 'xZ'])(
    'without a zone is none: %s',
    (text) => {
      expect(readZonedTime(text)).toBeNaN();
    },
  );
});
