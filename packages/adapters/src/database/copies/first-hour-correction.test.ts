import { jest } from '@jest/globals';
import { HOUR_MS, MINUTE_MS } from '@mailstead/core/clock';
import type { Slice } from '@mailstead/core/counts/row-counts';
import { StoredCopies } from '@mailstead/core/counts/stored-copies';
import { FixedClock } from '@mailstead/core/testing/fixed-clock';
import { FirstHourCorrection } from './first-hour-correction.js';

/** Records what is corrected. */
class RecordedCopies extends StoredCopies {
  mailServers = 0;
  readonly slices: Slice[] = [];
  during: () => Promise<void> = async () => undefined;

  override async correctMailServers(): Promise<number> {
    this.mailServers += 1;
    return 0;
  }

  override async correct(slice: Slice): Promise<number> {
    this.slices.push(slice);
    await this.during();
    return 0;
  }
}

describe('the correction of copies after the start of a process', () => {
  let copies: RecordedCopies;
  let correction: FirstHourCorrection;

  beforeEach(() => {
    jest.useFakeTimers();
    copies = new RecordedCopies();
    correction = new FirstHourCorrection(copies, new FixedClock());
  });
  afterEach(() => void jest.useRealTimers());

  const remainders = () => copies.slices.map(({ remainder }) => remainder);
  const every = Array.from({ length: 60 }, (_, remainder) => remainder);

  it('looks at all domains at once, then at all of them every ten minutes of the first hour, and then no more', async () => {
    correction.start();
    await jest.advanceTimersByTimeAsync(1);
    expect(remainders()).toEqual(every);
    for (let pass = 0; pass < 5; pass += 1) {
      copies.slices.length = 0;
      await jest.advanceTimersByTimeAsync(10 * MINUTE_MS);
      expect(remainders()).toEqual(every);
    }
    expect(copies.mailServers).toBe(51);
    await jest.advanceTimersByTimeAsync(HOUR_MS);
    expect(copies.mailServers).toBe(60);
    await correction.stop();
  });

  it('repeats a slice that could not be corrected', async () => {
    let failures = 3;
    copies.during = async () => {
      failures -= 1;
      if (failures >= 0) throw new Error('The database is away');
    };
    correction.start();
    await jest.advanceTimersByTimeAsync(3 * MINUTE_MS);
    expect(remainders()).toEqual([0, 0, 0, 0, 1, 2, 3, 4, 5]);
    await correction.stop();
  });

  it('ends when the process stops, after the slice that is being corrected', async () => {
    let end: () => void = () => undefined;
    const events: string[] = [];
    copies.during = async () => {
      events.push('begun');
      await new Promise<void>((resolve) => {
        end = resolve;
      });
      events.push('ended');
    };
    correction.start();
    await jest.advanceTimersByTimeAsync(2 * MINUTE_MS);
    const stopped = correction.stop().then(() => events.push('stopped'));
    end();
    await stopped;
    await jest.advanceTimersByTimeAsync(HOUR_MS);
    expect(events).toEqual(['begun', 'ended', 'stopped']);
  });
});
