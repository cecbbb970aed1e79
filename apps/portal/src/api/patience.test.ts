import { ApiProblem } from '@mailstead/client/api-problem';
import { atMost } from './at-most.js';
import { Patience } from './patience.js';

const refusal = (status: number, retryAfter: number | null) =>
  new ApiProblem(status, 'code', 'detail', [], null, retryAfter);

/** A clock that goes on only when something sleeps. */
function testClock() {
  let now = 0;
  const slept: number[] = [];
  const sleep = async (ms: number) => {
    slept.push(ms);
    now += ms;
  };
  return { slept, clock: { now: () => now, sleep } };
}

describe('calls of a busy service', () => {
  it('wait as long as the service asks, and are then repeated', async () => {
    const { slept, clock } = testClock();
    const patience = new Patience(new AbortController().signal, clock);
    const answers = [refusal(429, 7), refusal(503, null), 'done'];
    const run = async () => {
      const answer = answers.shift();
      if (answer instanceof ApiProblem) throw answer;
      return answer;
    };
    expect(await patience.call(run)).toBe('done');
    expect(slept).toEqual([7_000, 2_000]);
  });

  it('wait for the pause that another call was asked for', async () => {
    const { slept, clock } = testClock();
    const patience = new Patience(new AbortController().signal, clock);
    patience.wait(refusal(429, 5), 1);
    expect(await patience.call(async () => 'done')).toBe('done');
    expect(slept).toEqual([5_000]);
  });

  it('never wait longer than a minute, and end after six attempts with the refusal', async () => {
    const { slept, clock } = testClock();
    const patience = new Patience(new AbortController().signal, clock);
    const run = () => Promise.reject(refusal(429, 9_999));
    await expect(patience.call(run)).rejects.toMatchObject({ status: 429 });
    expect(slept).toEqual(Array.from({ length: 5 }, () => 60_000));
  });

  it('are not repeated when the refusal does not pass by itself', async () => {
    const { slept, clock } = testClock();
    const patience = new Patience(new AbortController().signal, clock);
    await expect(patience.call(() => Promise.reject(refusal(404, 1)))).rejects.toMatchObject({ status: 404 });
    expect(slept).toEqual([]);
  });

  it('do not begin after they were cancelled', async () => {
    const controller = new AbortController();
    controller.abort();
    let hasRun = false;
    const run = async () => {
      hasRun = true;
    };
    const patience = new Patience(controller.signal, testClock().clock);
    await expect(patience.call(run)).rejects.toMatchObject({ name: 'AbortError' });
    expect(hasRun).toBe(false);
  });
});

describe('tasks at most so many at a time', () => {
  it('never run more at once, and all run', async () => {
    let running = 0;
    let most = 0;
    const done: number[] = [];
    const items = Array.from({ length: 25 }, (_, index) => index);
    await atMost(4, items, async (item) => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
      done.push(item);
    });
    expect(most).toBe(4);
    expect(done).toEqual(items);
  });

  it('begin no further one after one has failed', async () => {
    const begun: number[] = [];
    const run = async (item: number) => {
      begun.push(item);
      if (item === 1) throw new Error('no');
    };
    await expect(atMost(2, [1, 2, 3, 4, 5], run)).rejects.toThrow('no');
    expect(begun.length).toBeLessThan(5);
  });
});
