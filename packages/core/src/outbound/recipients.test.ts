import * as fc from 'fast-check';
import { countsAs, parseRecipient, type RecipientFacts } from './recipients.js';

const outside = (destination: string) => ({ destination, isMailbox: false, isOpen: false });
const mailbox = (destination: string, isOpen = true) => ({ destination, isMailbox: true, isOpen });
const reopened = (destination: string) => ({ destination, isMailbox: false, isOpen: true });

const facts = (aliases: [string, ReturnType<typeof outside>[]][] = [], fields: Partial<RecipientFacts> = {}) => ({
  forwarding: true,
  open: new Set(['own.example']),
  mailboxes: new Set(['bob@own.example']),
  aliases: new Map(aliases),
  ...fields,
});
const count = (text: string, known: RecipientFacts) => countsAs(parseRecipient(text), known);

describe('what a recipient counts as', () => {
  const list = facts([
    ['team@own.example', [outside('a@out.example'), outside('b@out.example'), mailbox('bob@own.example')]],
    ['@own.example', [outside('rest@out.example')]],
  ]);

  it.each([
    ['x@elsewhere.example', 1],
    ['no address', 1],
    ['x@münchen.example', 1],
    ['bob@own.example', 0],
    ['BOB+news@Own.Example.', 0],
    ['team@own.example', 2],
    ['team+x+y@own.example', 2],
    ['"team"@own.example', 2],
    ['"t\\eam"@own.example', 2],
    ['+team@own.example', 1],
    ['nobody@own.example', 1],
    ['"two words"@own.example', 1],
    ['ünder@own.example', 1],
    ['@own.example', 1],
  ])('%s counts as %i', (text, expected) => {
    expect(count(text, list)).toBe(expected);
  });

  it('is nothing for an address that nobody has', () => {
    expect(count('nobody@own.example', facts())).toBe(0);
  });

  it('is nothing behind an alias while forwarding is off', () => {
    expect(count('team@own.example', { ...list, forwarding: false })).toBe(0);
    expect(count('x@elsewhere.example', { ...list, forwarding: false })).toBe(1);
  });

  it('falls to the catch-all where no destination of an alias is seen', () => {
    const hidden = facts([
      ['team@own.example', [mailbox('eve@pending.example', false)]],
      ['@own.example', [outside('a@out.example'), outside('b@out.example')]],
    ]);
    expect(count('team@own.example', hidden)).toBe(2);
  });

  it('follows destinations that came onto the platform later, and ends in a loop of them', () => {
    const chain: [string, ReturnType<typeof outside>[]][] = [
      ['first@own.example', [reopened('second@own.example')]],
      ['second@own.example', [outside('a@out.example'), outside('b@out.example'), reopened('bob@own.example')]],
      ['loop@own.example', [reopened('loop@own.example'), reopened('loop@own.example')]],
    ];
    expect(count('first@own.example', facts(chain))).toBe(2);
    expect(count('loop@own.example', facts(chain))).toBe(0);
  });

  it('never throws, and is the same in any case', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(count(text, list)).toBeGreaterThanOrEqual(0);
        expect(parseRecipient(text.toUpperCase().toLowerCase())).toEqual(parseRecipient(text.toUpperCase()));
      }),
    );
  });
});
