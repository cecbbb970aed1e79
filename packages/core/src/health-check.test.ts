import { HealthCheck, SharedReadiness, ShutdownCheck } from './health-check.js';

/** Counts its runs, each of which ends with the answer of its begin. */
class CountedCheck extends HealthCheck {
  override readonly name = 'counted';
  answer: Promise<string | null> = Promise.resolve(null);
  begun = 0;

  override problem(): Promise<string | null> {
    this.begun += 1;
    return this.answer;
  }
}

describe('the checks of a process', () => {
  let at: number;
  let counted: CountedCheck;
  let shutdown: ShutdownCheck;
  let readiness: SharedReadiness;

  beforeEach(() => {
    at = 0;
    counted = new CountedCheck();
    shutdown = new ShutdownCheck();
    readiness = new SharedReadiness([shutdown, counted], 1_000, () => at);
  });

  it('begin once a second, however many ask', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => readiness.isReady()));
    expect(new Set(answers)).toEqual(new Set([true]));
    counted.answer = Promise.resolve('It is away');
    at = 999;
    expect((await readiness.read()).isReady).toBe(true);
    expect(counted.begun).toBe(1);
    at = 1_000;
    expect(await readiness.read()).toEqual({
      isReady: false,
      checks: [
        { name: 'shutdown', detail: null },
        { name: 'counted', detail: 'It is away' },
      ],
      warnings: [],
    });
    expect(counted.begun).toBe(2);
  });

  it('never run twice at the same time: who asks meanwhile gets the result of the run that takes long', async () => {
    let end: (problem: string | null) => void = () => undefined;
    counted.answer = new Promise((resolve) => {
      end = resolve;
    });
    const first = readiness.read();
    at = 5_000;
    const second = readiness.read();
    expect(counted.begun).toBe(1);
    end('It is away');
    expect((await Promise.all([first, second])).map(({ isReady }) => isReady)).toEqual([false, false]);
    counted.answer = Promise.resolve(null);
    expect([await readiness.isReady(), counted.begun]).toEqual([true, 2]);
  });

  it('do not hold up the answer of a process that stops', async () => {
    expect(await readiness.isReady()).toBe(true);
    at = 5_000;
    counted.answer = new Promise(() => undefined);
    shutdown.begin();
    expect([await readiness.isReady(), counted.begun]).toEqual([false, 1]);
  });
});
