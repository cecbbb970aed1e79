import { isOvertaken, tableOf, unkept, Work } from './work.js';

function workAt(times: number[]): Work {
  return new Work('increments', () => times.shift() ?? 0);
}

describe('the work of the cluster', () => {
  it('has the longest time between two acknowledgements, also one that has not ended', () => {
    const work = workAt([0, 100, 900, 1_000, 4_000]);
    work.acknowledge();
    work.acknowledge();
    work.acknowledge();
    expect(work.longestGapMs).toBe(800);
    expect(work.takeGap()).toBe(3_000);
    expect(work.longestGapMs).toBe(3_000);
  });

  it('is lost where the counter has less than what was acknowledged', () => {
    const work = workAt([]);
    work.acknowledged = 10;
    work.compareCounter({ acknowledged: 10, unanswered: 0 }, 9, 9);
    expect([work.found, work.lost, work.doubled]).toEqual([9, 1, 0]);
    expect(unkept([work])).toEqual(['increments: 1 of 10 acknowledged were lost']);
  });

  it('may have counted what was not acknowledged once, and nothing more', () => {
    const work = workAt([]);
    work.acknowledged = 10;
    work.compareCounter({ acknowledged: 10, unanswered: 2 }, 12, 12);
    expect(unkept([work])).toEqual([]);
    work.compareCounter({ acknowledged: 10, unanswered: 2 }, 13, 13);
    expect(unkept([work])).toEqual(['increments: 1 took effect twice']);
  });

  it('was doubled when the counter has more than the ids', () => {
    const work = workAt([]);
    work.acknowledged = 10;
    work.compareCounter({ acknowledged: 10, unanswered: 2 }, 11, 10);
    expect(work.doubled).toBe(1);
  });

  it('is not lost when an earlier request took effect once more after it', () => {
    expect(isOvertaken([1, 3, 5, 3], 5)).toBe(true);
  });

  it('is lost when it never took effect, or nothing came after it that was there before', () => {
    expect(isOvertaken([1, 3], 5)).toBe(false);
    expect(isOvertaken([1, 3, 5], 5)).toBe(false);
    expect(isOvertaken([1, 5, 3], 5)).toBe(false);
    expect(isOvertaken([], 5)).toBe(false);
  });

  it('without an acknowledgement is no success', () => {
    expect(unkept([workAt([])])).toEqual(['increments: nothing was acknowledged']);
  });

  it('shows its errors by their reason', () => {
    const work = workAt([0]);
    for (const reason of ['503', '503', 'ECONNRESET']) work.fail(reason);
    expect(tableOf([work])[0]?.errors).toBe('2 × 503, 1 × ECONNRESET');
  });
});
