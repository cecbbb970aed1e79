import { Alias, MAX_DESTINATIONS } from '../aliases/alias.js';
import type { Address } from '../mailboxes/address.js';
import { type AliasFacts, decideAliases } from './decide-aliases.js';

const facts = (given: Partial<AliasFacts> = {}): AliasFacts => ({
  ownDomains: new Set([1]),
  ownMailboxes: new Map([['a@own.example', 7]]),
  mailboxes: new Set(['a@own.example']),
  destinations: new Map(),
  inside: new Set(['own.example']),
  ...given,
});

const alias = (given: Partial<Alias> = {}): Alias =>
  Object.assign(
    Alias.create({
      domainId: 1,
      address: 'x@own.example' as Address,
      destination: 'a@own.example' as Address,
      destinationMailboxId: 7,
      createdAt: new Date(0),
    }),
    given,
  );

const to = (destination: string, destinationMailboxId: number | null = null) =>
  alias({ destination: destination as Address, destinationMailboxId });

function fateOf(one: Alias, given: Partial<AliasFacts> = {}, mayForward = true): string {
  const { restored, leftOut, existing } = decideAliases([one], facts(given), mayForward);
  expect(restored.length + leftOut.length + existing.length).toBe(1);
  if (restored.length > 0) return `restored to ${String(restored[0]?.destinationMailboxId)}`;
  return leftOut.length > 0 ? 'left out' : 'existing';
}

describe('a deleted alias', () => {
  it('comes back when its domain and its mailbox exist', () => expect(fateOf(alias())).toBe('restored to 7'));

  it('delivers to the mailbox that has the address now', () => {
    expect(fateOf(alias({ destinationMailboxId: 3 }))).toBe('restored to 7');
    expect(fateOf(alias({ destinationMailboxId: null, destination: 'A@OWN.example' as Address }))).toBe(
      'restored to 7',
    );
  });

  it('is left out without its domain, and without its mailbox', () => {
    expect(fateOf(alias({ domainId: 2 }))).toBe('left out');
    expect(fateOf(to('gone@own.example', 3))).toBe('left out');
    // A mailbox of another partner has the address by now.
    expect(fateOf(alias(), { ownMailboxes: new Map() })).toBe('left out');
  });

  it('is left out when its address is a mailbox by now, of whichever case', () => {
    expect(fateOf(alias({ address: 'A@own.example' as Address }))).toBe('left out');
  });

  it.each([
    ['an outside address', 'b@outside.example', true, 'restored to null'],
    ['an outside address while nothing is forwarded', 'b@outside.example', false, 'left out'],
    ['an outside address whose domain is here by now', 'b@own.example', true, 'left out'],
  ])('to %s (%s, %s) is %s', (_, destination, mayForward, fate) => {
    expect(fateOf(to(destination), {}, mayForward)).toBe(fate);
  });

  it('that was to a mailbox never becomes one to an outside address', () => {
    expect(fateOf(to('b@outside.example', 3))).toBe('left out');
  });

  it('that exists again stays as it is', () => {
    const destinations = new Map([['x@own.example', new Set(['a@own.example'])]]);
    expect(fateOf(alias(), { destinations })).toBe('existing');
  });

  it('is left out when its address has all its destinations, counting those that come back with it', () => {
    const others = (count: number) => new Set(Array.from({ length: count }, (_, index) => `m${index}@own.example`));
    const full = new Map([['x@own.example', others(MAX_DESTINATIONS)]]);
    expect(fateOf(alias(), { destinations: full })).toBe('left out');
    const one = new Map([['x@own.example', others(MAX_DESTINATIONS - 1)]]);
    const two = [alias({ id: 1 }), to('c@outside.example')];
    const decided = decideAliases(two, facts({ destinations: one }), true);
    expect([decided.restored, decided.leftOut].map((list) => list.length)).toEqual([1, 1]);
  });
});
