import type { AppError } from '../errors.js';
import type { RequestOwner } from '../partners/partner-scope.js';
import { PartnerQueue, type QueueBounds } from './partner-queue.js';

const BOUNDS: QueueBounds = {
  workers: 1,
  runningPerPartner: Number.POSITIVE_INFINITY,
  waitingPerPartner: 40,
  waiting: 100,
  waitMs: Number.POSITIVE_INFINITY,
};
const queueWith = (bounds: Partial<QueueBounds>) =>
  new PartnerQueue({ ...BOUNDS, ...bounds }, { ofPartner: 'hashing_busy', ofQueue: 'overloaded' });
const notAborted = () => new AbortController().signal;

/** Adds tasks to a queue and ends them from the test. */
class Tasks {
  readonly started: string[] = [];
  readonly refused: [string, string][] = [];
  private readonly ends = new Map<string, () => void>();
  private readonly runs: Promise<void>[] = [];

  constructor(readonly queue: PartnerQueue) {}

  add(partner: RequestOwner, name: string, signal = notAborted()): void {
    const run = this.queue.run(
      partner,
      () => {
        this.started.push(name);
        return new Promise<void>((resolve) => this.ends.set(name, resolve));
      },
      { signal },
    );
    this.runs.push(run.catch((error: AppError) => void this.refused.push([name, error.code])));
  }

  addAll(partner: RequestOwner, names: string[]): void {
    for (const name of names) this.add(partner, name);
  }

  /** Ends the running tasks, oldest first, until none is left. @returns all tasks in the order in which they started */
  async runAll(): Promise<string[]> {
    for (let ended = 0; ended < this.started.length; ended += 1) {
      this.ends.get(this.started[ended] ?? '')?.();
      await settled();
    }
    await Promise.all(this.runs);
    return this.started;
  }
}

/** Waits until all pending promise callbacks have run. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
const named = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name}${index}`);

describe('a queue of partners', () => {
  const queueOf = (bounds: Partial<QueueBounds> = {}) => new Tasks(queueWith(bounds));

  it('lets a task wait for one task of each other partner at most', async () => {
    const tasks = queueOf();
    tasks.addAll(1, named('flood', 30));
    tasks.addAll(2, named('second', 2));
    tasks.add(3, 'third');
    const order = await tasks.runAll();
    // The first task runs at once. Partner 1 is then the first in the queue.
    expect(order.slice(0, 6)).toEqual(['flood0', 'flood1', 'second0', 'third', 'flood2', 'second1']);
    expect(order).toHaveLength(33);
  });

  it('counts the operators as one partner', async () => {
    const tasks = queueOf();
    tasks.addAll('all', named('operator', 5));
    tasks.add(1, 'partner');
    expect((await tasks.runAll()).slice(0, 3)).toEqual(['operator0', 'operator1', 'partner']);
  });

  it('runs the tasks of a partner in the order of the calls', async () => {
    const tasks = queueOf({ workers: 3 });
    tasks.addAll(1, named('task', 20));
    expect(await tasks.runAll()).toEqual(named('task', 20));
  });

  it('runs as many tasks at once as it has workers, and no more', async () => {
    const tasks = queueOf({ workers: 3 });
    tasks.addAll(1, named('task', 20));
    await settled();
    expect(tasks.started).toHaveLength(3);
    await tasks.runAll();
  });

  it('refuses the tasks above the limit of one partner, and no task of another partner', async () => {
    const tasks = queueOf({ waitingPerPartner: 5 });
    tasks.addAll(1, named('flood', 10));
    tasks.addAll(2, named('other', 5));
    await settled();
    expect(tasks.refused).toEqual(
      named('flood', 10)
        .slice(6)
        .map((name) => [name, 'hashing_busy']),
    );
    expect(await tasks.runAll()).toHaveLength(11);
  });

  it('when full, refuses the newest task of the partner with the most tasks, and accepts one of a partner with fewer', async () => {
    const tasks = queueOf({ waitingPerPartner: 5, waiting: 10 });
    tasks.add(9, 'running');
    tasks.addAll(1, named('one', 5));
    tasks.addAll(2, named('two', 5));
    tasks.addAll(3, named('three', 3));
    await settled();
    expect(tasks.refused).toEqual([
      ['one4', 'hashing_busy'],
      ['two4', 'hashing_busy'],
      ['one3', 'hashing_busy'],
    ]);
    expect((await tasks.runAll()).filter((name) => name.startsWith('three'))).toEqual(named('three', 3));
  });

  it("is overloaded when it is full and no partner has more tasks than the caller's partner", async () => {
    const tasks = queueOf({ waitingPerPartner: 5, waiting: 4 });
    tasks.add(9, 'running');
    for (const partner of [1, 2, 3, 4, 5]) tasks.add(partner, `of ${partner}`);
    tasks.add(1, 'one more');
    await settled();
    expect(tasks.refused).toEqual([
      ['of 5', 'overloaded'],
      ['one more', 'overloaded'],
    ]);
    await tasks.runAll();
  });

  it('removes waiting tasks whose signal is aborted, and accepts others instead', async () => {
    const tasks = queueOf({ waitingPerPartner: 5 });
    tasks.add(1, 'running');
    const gone = new AbortController();
    for (const name of named('gone', 5)) tasks.add(1, name, gone.signal);
    tasks.add(1, 'refused');
    gone.abort();
    await settled();
    tasks.addAll(1, named('next', 5));
    expect(await tasks.runAll()).toEqual(['running', ...named('next', 5)]);
    expect(tasks.refused).toEqual([
      ['refused', 'hashing_busy'],
      ...named('gone', 5).map((name) => [name, 'request_cancelled']),
    ]);
  });

  it('does not start a task whose signal is already aborted', async () => {
    const tasks = queueOf();
    tasks.add(1, 'gone', AbortSignal.abort());
    expect(await tasks.runAll()).toEqual([]);
    expect(tasks.refused).toEqual([['gone', 'request_cancelled']]);
  });

  it('finishes a running task whose signal is aborted, and continues with the next', async () => {
    const tasks = queueOf();
    const gone = new AbortController();
    tasks.add(1, 'begun', gone.signal);
    tasks.add(1, 'next');
    await settled();
    gone.abort();
    expect(await tasks.runAll()).toEqual(['begun', 'next']);
    expect(tasks.refused).toEqual([]);
  });

  it('continues after a failed task', async () => {
    const queue = queueWith({ waitingPerPartner: 5, waiting: 5 });
    const failing = queue.run(1, () => Promise.reject(new Error('no memory')));
    const next = queue.run(1, () => Promise.resolve('done'));
    await expect(failing).rejects.toThrow('no memory');
    expect(await next).toBe('done');
    expect(await queue.run(2, () => Promise.resolve('idle again'))).toBe('idle again');
  });

  it('runs a bounded number of tasks of one partner at once, and those of others beside them', async () => {
    const tasks = queueOf({ workers: 4, runningPerPartner: 2 });
    tasks.addAll(1, named('crowd', 10));
    expect(tasks.started).toEqual(['crowd0', 'crowd1']);
    tasks.add(2, 'second');
    expect(tasks.started).toEqual(['crowd0', 'crowd1', 'second']);
    expect(await tasks.runAll()).toHaveLength(11);
  });

  it('refuses a task that waited too long, except one that is not refusable', async () => {
    const queue = queueWith({ waitingPerPartner: 1, waitMs: 1 });
    let end: () => void = () => undefined;
    const first = queue.run(1, () => new Promise<void>((resolve) => void (end = resolve)));
    const kept = queue.run(1, () => Promise.resolve('kept'), { refusable: false });
    await expect(queue.run(1, () => Promise.resolve('too many'))).rejects.toMatchObject({ code: 'hashing_busy' });
    await expect(queue.run(2, () => Promise.resolve('too late'))).rejects.toMatchObject({ code: 'hashing_busy' });
    end();
    await first;
    expect(await kept).toBe('kept');
    expect(await queue.run(2, () => Promise.resolve('idle again'))).toBe('idle again');
  });
});
