import type { DomainName } from './domain-name.js';
import { nearestWildcardParent, type WildcardMode } from './wildcard.js';

const ancestor = (name: string, partnerId: number, wildcardMode: WildcardMode) => ({
  name: name as DomainName,
  partnerId,
  wildcardMode,
});
const parentOf = (name: string, ...ancestors: ReturnType<typeof ancestor>[]) =>
  nearestWildcardParent(name as DomainName, 1, ancestors)?.name ?? null;

describe('a new subdomain', () => {
  it('links to the nearest wildcard ancestor', () => {
    expect(parentOf('a.b.example.com', ancestor('example.com', 1, 'any'), ancestor('b.example.com', 1, 'any'))).toBe(
      'b.example.com',
    );
  });

  it('skips an ancestor of mode `direct` that is more than one label away', () => {
    expect(parentOf('a.b.example.com', ancestor('example.com', 1, 'direct'))).toBeNull();
    expect(parentOf('b.example.com', ancestor('example.com', 1, 'direct'))).toBe('example.com');
  });

  it('never links to a domain of another partner, even the nearest one', () => {
    expect(parentOf('a.b.example.com', ancestor('b.example.com', 2, 'any'), ancestor('example.com', 1, 'any'))).toBe(
      'example.com',
    );
  });

  it('does not link to an ancestor that is not a wildcard parent', () => {
    expect(parentOf('a.example.com', ancestor('example.com', 1, 'none'))).toBeNull();
  });
});
