import { jest } from '@jest/globals';
import { MINUTE_MS, SECOND_MS } from '@mailstead/core/clock';
import type { QueueName } from '@mailstead/core/jobs/jobs';
import { FixedClock } from '@mailstead/core/testing/fixed-clock';
import { InProcessWaker } from './in-process-waker.js';

describe('the timers of a process', () => {
  let clock: FixedClock;
  let waker: InProcessWaker;
  let wakes: (QueueName | 'all')[];

  beforeEach(() => {
    jest.useFakeTimers();
    clock = new FixedClock();
    waker = new InProcessWaker(clock);
    wakes = [];
    const sweep = {
      wake: async (queue: QueueName) => void wakes.push(queue),
      sweep: async () => void wakes.push('all'),
    };
    waker.start(sweep);
  });
  afterEach(async () => {
    await waker.stop();
    jest.useRealTimers();
  });

  const later = (ms: number) => new Date(clock.now().getTime() + ms);

  it('wake a queue at once for a due job, and later for a job that becomes due', () => {
    waker.wake('verification', later(0));
    waker.wake('notifications', later(5 * SECOND_MS));
    expect(wakes).toEqual(['verification']);
    jest.advanceTimersByTime(5 * SECOND_MS);
    expect(wakes).toEqual(['verification']);
    jest.advanceTimersByTime(1);
    expect(wakes).toEqual(['verification', 'notifications']);
  });

  it('start a sweep every ten seconds, which finds jobs without a timer', () => {
    waker.wake('notifications', later(MINUTE_MS));
    jest.advanceTimersByTime(MINUTE_MS + 1);
    expect(wakes).toEqual(Array.from({ length: 6 }, () => 'all'));
  });

  it('wake no queue after the stop', async () => {
    waker.wake('notifications', later(SECOND_MS));
    await waker.stop();
    waker.wake('verification', later(0));
    jest.advanceTimersByTime(MINUTE_MS);
    expect(wakes).toEqual([]);
  });
});
