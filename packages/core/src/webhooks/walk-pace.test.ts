import { SECOND_MS } from '../clock.js';
import { WalkPace } from './walk-pace.js';

describe('the pace of deliveries to one endpoint', () => {
  /** A clock that only waiting changes, and the times at which deliveries began. */
  function aPace() {
    const world = { now: 0, begun: [] as number[] };
    const sleep = async (ms: number) => {
      world.now += ms;
    };
    const pace = new WalkPace(sleep, () => world.now);
    const deliver = async (work: () => Promise<void> = async () => undefined) => {
      await pace.ready();
      pace.begin(() => {
        world.begun.push(world.now);
        return work();
      });
    };
    return { world, pace, deliver };
  }

  it('lets at most ten begin in any second, also when walks follow each other', async () => {
    const { world, pace, deliver } = aPace();
    for (let walk = 0; walk < 4; walk += 1) {
      for (let count = 0; count < 7; count += 1) {
        await deliver();
        world.now += 20;
      }
      await pace.end();
    }
    expect(world.begun).toHaveLength(28);
    for (const [index, at] of world.begun.entries()) {
      const eleventh = world.begun[index + 10] ?? Number.POSITIVE_INFINITY;
      expect(eleventh - at).toBeGreaterThanOrEqual(SECOND_MS);
    }
  });

  it('lets at most four be on their way, and none begin more than three places after one that has not ended', async () => {
    const { world, pace, deliver } = aPace();
    const ends: (() => void)[] = [];
    const unanswered = () => new Promise<void>((resolve) => ends.push(resolve));
    for (let count = 0; count < 4; count += 1) await deliver(unanswered);
    let isFifth = false;
    const fifth = deliver(unanswered).then(() => {
      isFifth = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect([isFifth, world.begun]).toEqual([false, [0, 0, 0, 0]]);
    for (const end of ends.slice(1)) end();
    await new Promise((resolve) => setImmediate(resolve));
    expect(isFifth).toBe(false);
    ends[0]?.();
    await fifth;
    expect(world.begun).toHaveLength(5);
    for (const end of ends) end();
    await pace.end();
  });

  it('is forgotten when its last delivery ended, and began a second ago', async () => {
    const { world, pace, deliver } = aPace();
    expect(pace.isFresh).toBe(true);
    await deliver();
    await pace.end();
    world.now += SECOND_MS - 1;
    expect(pace.isFresh).toBe(false);
    world.now += 1;
    expect(pace.isFresh).toBe(true);
  });
});
