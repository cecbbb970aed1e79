import type { DomainName } from '@mailstead/core/domains/domain-name';
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

  it('are never more than the maximum, and one more name forgets only the one that was used the longest ago', () => {
    for (let index = 0; index < MOST; index += 1) learn(index);
    learn(0);
    learn(MOST);
    expect(known(MOST + 1).flatMap((isKnown, index) => (isKnown ? [] : [index]))).toEqual([1]);
    expect(locations.find(nameOf(MOST))).toEqual({ id: MOST, parentId: null });
  });

  it('are never more than the maximum after a batch with more names than that', () => {
    learn(...Array.from({ length: 3 * MOST }, (_, index) => index));
    expect(known(3 * MOST).filter((isKnown) => isKnown)).toHaveLength(MOST);
  });

  it('are forgotten when the domain no longer exists', () => {
    learn(1, 2);
    locations.learn([nameOf(1)], new Map());
    expect(known(3)).toEqual([false, false, true]);
  });
});
