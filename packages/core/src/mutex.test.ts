import { Mutex } from './mutex.js';

describe('a mutex', () => {
  it('runs tasks one after the other in the order of the calls, even after a failed task', async () => {
    const mutex = new Mutex();
    const log: string[] = [];
    const task = (name: string, fails: boolean) => async () => {
      log.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      log.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    };
    expect(mutex.isIdle).toBe(true);
    const results = Promise.allSettled([mutex.run(task('a', true)), mutex.run(task('b', false))]);
    expect(mutex.isIdle).toBe(false);
    expect(await results).toMatchObject([{ status: 'rejected' }, { status: 'fulfilled', value: 'b' }]);
    expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
    expect(mutex.isIdle).toBe(true);
  });
});
