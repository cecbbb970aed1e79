import { OutageWatch } from './outage-watch.js';

const LOOK_MS = 2_000;

describe('the watch of outages', () => {
  let now: number;
  let reason: string | null;
  let renewed: string[];
  let ill: string[];
  let stored: boolean[];
  let lookTakes: number;

  beforeEach(() => {
    [now, reason, renewed, ill, stored, lookTakes] = [1_000_000, null, [], [], [], 0];
  });

  const watchOf = (isOwed = false, store = async (owed: boolean) => void stored.push(owed)): OutageWatch =>
    new OutageWatch(
      {
        whyNot: async () => {
          now += lookTakes;
          return reason;
        },
        servers: ['dovecot', 'mx', 'submission'].map((name) => ({
          name,
          renew: async () => {
            if (ill.includes(name)) throw new Error('does not run');
            renewed.push(name);
          },
        })),
        now: () => now,
        store,
        tell: () => undefined,
      },
      isOwed,
    );
  /** Looks every two seconds for so long. */
  const pass = async (watch: OutageWatch, ms: number, why: string | null = null): Promise<void> => {
    reason = why;
    for (const end = now + ms; now < end; now += LOOK_MS) await watch.look();
  };
  const ALL = ['dovecot', 'mx', 'submission'];

  it('renews nothing while the database answers, and after failures of less than five seconds', async () => {
    const watch = watchOf();
    await pass(watch, 600_000);
    await pass(watch, 6_000, 'refused');
    await pass(watch, 600_000);
    expect(renewed).toEqual([]);
    expect(new Set(stored)).toEqual(new Set([false]));
  });

  it('renews each server once after an outage, in their order, and again after a second outage', async () => {
    const watch = watchOf();
    await pass(watch, 8_000, 'refused');
    await pass(watch, 300_000, 'refused');
    expect(renewed).toEqual([]);
    await pass(watch, 600_000);
    expect(renewed).toEqual(ALL);
    await pass(watch, 8_000, 'refused');
    await pass(watch, 600_000);
    expect(renewed).toEqual([...ALL, ...ALL]);
  });

  it('takes one look that hangs for five seconds for an outage', async () => {
    const watch = watchOf();
    lookTakes = 5_000;
    await pass(watch, 1, 'killed');
    lookTakes = 0;
    await pass(watch, 60_000);
    expect(renewed).toEqual(ALL);
  });

  it('renews at most every thirty seconds when the database comes and goes', async () => {
    const watch = watchOf();
    for (let round = 0; round < 30; round += 1) {
      await pass(watch, 8_000, 'refused');
      await pass(watch, 2_000);
    }
    expect(renewed).toHaveLength((300_000 / 30_000) * ALL.length);
  });

  it('stores a renewal that it owes before the outage ends, and makes it after a restart, once', async () => {
    await pass(watchOf(), 8_000, 'refused');
    expect(stored.at(-1)).toBe(true);
    const after = watchOf(true);
    await pass(after, 300_000);
    expect(renewed).toEqual(ALL);
    expect(stored.at(-1)).toBe(false);
  });

  it('tries a server that cannot be renewed three times, and not the others again', async () => {
    ill = ['dovecot'];
    const watch = watchOf(true);
    await pass(watch, 20_000);
    expect(stored.at(-1)).toBe(true);
    await pass(watch, 600_000);
    ill = [];
    await pass(watch, 600_000);
    expect(renewed).toEqual(['mx', 'submission']);
    expect(stored.at(-1)).toBe(false);
    await pass(watch, 8_000, 'refused');
    await pass(watch, 600_000);
    expect(renewed).toEqual(['mx', 'submission', ...ALL]);
  });

  it('goes on when its state cannot be stored', async () => {
    const watch = watchOf(false, () => Promise.reject(new Error('ENOSPC')));
    await pass(watch, 8_000, 'refused');
    await pass(watch, 60_000);
    expect(renewed).toEqual(ALL);
  });
});
