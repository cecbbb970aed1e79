import { jest } from '@jest/globals';
import { HOUR_MS, MINUTE_MS } from '@mailstead/core/clock';
import { MtaDomainMender } from './mta-domain-mender.js';

describe('the correction of the rows of `mta_domain` after the start of a process', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('runs every minute of the first hour, also after an error, and then no more', async () => {
    let turns = 0;
    const mender = new MtaDomainMender(async () => {
      turns += 1;
      if (turns % 2 === 1) throw new Error('The database is away');
    });
    mender.start();
    await jest.advanceTimersByTimeAsync(MINUTE_MS - 1);
    expect(turns).toBe(0);
    await jest.advanceTimersByTimeAsync(HOUR_MS);
    expect(turns).toBe(60);
    await jest.advanceTimersByTimeAsync(HOUR_MS);
    expect(turns).toBe(60);
    await mender.stop();
  });

  it('ends when the process stops, after the turn that runs', async () => {
    let end: () => void = () => undefined;
    const events: string[] = [];
    const mender = new MtaDomainMender(async () => {
      events.push('begun');
      await new Promise<void>((resolve) => {
        end = resolve;
      });
      events.push('ended');
    });
    mender.start();
    await jest.advanceTimersByTimeAsync(2 * MINUTE_MS);
    const stopped = mender.stop().then(() => events.push('stopped'));
    end();
    await stopped;
    await jest.advanceTimersByTimeAsync(HOUR_MS);
    expect(events).toEqual(['begun', 'ended', 'stopped']);
  });
});
