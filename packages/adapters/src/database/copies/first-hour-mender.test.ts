import { jest } from '@jest/globals';
import { HOUR_MS, MINUTE_MS } from '@mailstead/core/clock';
import type { Slice } from '@mailstead/core/counts/row-counts';
import { StoredCopies } from '@mailstead/core/counts/stored-copies';
import { FixedClock } from '@mailstead/core/testing/fixed-clock';
import { FirstHourMender } from './first-hour-mender.js';

/** Records what is corrected. */
class RecordedCopies extends StoredCopies {
  mailServers = 0;
  readonly slices: Slice[] = [];
  during: () => Promise<void> = async () => undefined;

  override async mendMailServers(): Promise<number> {
    this.mailServers += 1;
    return 0;
  }

  override async mend(slice: Slice): Promise<number> {
    this.slices.push(slice);
    await this.during();
    return 0;
  }
}

describe('the correction of copies after the start of a process', () => {
  let copies: RecordedCopies;
  let mender: FirstHourMender;

  beforeEach(() => {
    jest.useFakeTimers();
    copies = new RecordedCopies();
    mender = new FirstHourMender(copies, new FixedClock());
  });
  afterEach(() => void jest.useRealTimers());

  const remainders = () => copies.slices.map(({ remainder }) => remainder);
  const every = Array.from({ length: 60 }, (_, remainder) => remainder);

  it('looks at all domains at once, then at all of them every ten minutes of the first hour, and then no more', async () => {
    mender.start();
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
    await mender.stop();
  });

  it('repeats a slice that could not be corrected', async () => {
    let failures = 3;
    copies.during = async () => {
      failures -= 1;
      if (failures >= 0) throw new Error('The database is away');
    };
    mender.start();
    await jest.advanceTimersByTimeAsync(3 * MINUTE_MS);
    expect(remainders()).toEqual([0, 0, 0, 0, 1, 2, 3, 4, 5]);
    await mender.stop();
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
    mender.start();
    await jest.advanceTimersByTimeAsync(2 * MINUTE_MS);
    const stopped = mender.stop().then(() => events.push('stopped'));
    end();
    await stopped;
    await jest.advanceTimersByTimeAsync(HOUR_MS);
    expect(events).toEqual(['begun', 'ended', 'stopped']);
  });
});
