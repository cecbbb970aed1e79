import type { DomainName } from '@mailstead/core/domains/domain-name';
import { expectCostNear } from '@mailstead/core/testing/linear-cost';
import { type DomainLocation, DomainLocations } from './domain-locations.js';

const MOST = 100;

function nameOf(index: number): DomainName {
  return `d${index}.example` as DomainName;
}

describe('the known locations of domains', () => {
  let locations: DomainLocations;
  const learn = (...indices: number[]) => {
    const found = new Map<DomainName, DomainLocation>(
      indices.map((index) => [nameOf(index), { id: index, parentId: null }]),
    );
    locations.learn(found.keys(), found);
  };
  const known = (count: number) => Array.from({ length: count }, (_, index) => locations.has(nameOf(index)));

  beforeEach(() => {
    locations = new DomainLocations(MOST);
  });

  it('are those of the names that were learned last, at least as many as a generation has and at most twice that', () => {
    for (let index = 0; index < 5 * MOST; index += 1) {
      learn(index);
      const found = known(index + 1);
      const count = found.filter((isKnown) => isKnown).length;
      expect(count).toBeGreaterThanOrEqual(Math.min(index + 1, MOST));
      expect(count).toBeLessThanOrEqual(2 * MOST);
      expect(found.slice(-count).every((isKnown) => isKnown)).toBe(true);
    }
    expect(locations.find(nameOf(5 * MOST - 1))).toEqual({ id: 5 * MOST - 1, parentId: null });
  });

  it('keep a name that each batch learns again', () => {
    for (let index = 1; index < 5 * MOST; index += 1) learn(0, index);
    expect(locations.has(nameOf(0))).toBe(true);
  });

  it('are at most those of two generations after a batch with more names than that', () => {
    learn(...Array.from({ length: 3 * MOST }, (_, index) => index));
    const found = known(3 * MOST);
    expect(found.filter((isKnown) => isKnown)).toHaveLength(2 * MOST);
    expect(found.at(-1)).toBe(true);
  });

  it('are the latest of a name', () => {
    learn(...Array.from({ length: MOST + 1 }, (_, index) => index));
    locations.learn([nameOf(0)], new Map([[nameOf(0), { id: 7, parentId: 8 }]]));
    expect(locations.find(nameOf(0))).toEqual({ id: 7, parentId: 8 });
  });

  it('are forgotten when the domain no longer exists', () => {
    learn(1, 2);
    locations.learn([nameOf(1)], new Map());
    expect(known(3)).toEqual([false, false, true]);
    learn(...Array.from({ length: MOST }, (_, index) => MOST + index));
    locations.learn([nameOf(2)], new Map());
    expect(locations.has(nameOf(2))).toBe(false);
  });

  it('cost one name that is used all the time about as much beside 100,000 others as beside none', async () => {
    const MANY = 100_000;
    const usedBeside = (others: number) => {
      const known = new DomainLocations(MANY);
      const indices = Array.from({ length: 1 + others }, (_, index) => index);
      const found = new Map(indices.map((index) => [nameOf(index), { id: index, parentId: null }]));
      known.learn(found.keys(), found);
      return () => {
        for (let batch = 0; batch < 20_000; batch += 1) known.learn([nameOf(0)], found);
      };
    };
    await expectCostNear(usedBeside(0), 20, usedBeside(MANY - 1));
  });
});
