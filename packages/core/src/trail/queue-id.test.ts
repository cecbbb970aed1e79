import { HOUR_MS, SECOND_MS } from '../clock.js';
import { longQueueId } from '../testing/long-queue-id.js';
import { firstDayOf } from './queue-id.js';
import { trailDayOf } from './trail-options.js';

const AT = new Date('2026-11-30T12:00:00.000Z');
const dayOf = (text: string) => trailDayOf(new Date(text));

describe('the first day of a message', () => {
  it('is the one on which Postfix made its queue file, in an id of Postfix 3.7.11 and in others', () => {
    // Its line in the log is of 03:01:04.
    expect(firstDayOf('4jd80w04YjzPQFF', AT)).toBe(dayOf('2026-11-30'));
    expect(firstDayOf('4jd80w04YjzPQFF', new Date('2026-11-30T02:01:03.000Z'))).toBe(0);
    expect(firstDayOf(longQueueId(AT), AT)).toBe(dayOf('2026-11-30'));
    expect(firstDayOf(`mx1_example_net-${longQueueId(AT)}`, AT)).toBe(dayOf('2026-11-30'));
  });

  it('is the day before for an hour, because a clock can be set back', () => {
    const midnight = new Date('2026-11-30T00:00:00.000Z').getTime();
    expect(firstDayOf(longQueueId(new Date(midnight + HOUR_MS - SECOND_MS)), AT)).toBe(dayOf('2026-11-29'));
    expect(firstDayOf(longQueueId(new Date(midnight + HOUR_MS)), AT)).toBe(dayOf('2026-11-30'));
  });

  it.each(['', 'Q1', '9D3B1A7F42', '4XNb6K0VZzqz', 'AEIOUz12345', 'x'.repeat(1_000)])(
    'is unknown for an id of another form, %j',
    (queueId) => {
      expect(firstDayOf(queueId, AT)).toBe(0);
    },
  );

  it('is unknown for an id of a later time than what happened to the message', () => {
    expect(firstDayOf(longQueueId(new Date(AT.getTime() + 2 * HOUR_MS)), AT)).toBe(0);
  });
});
