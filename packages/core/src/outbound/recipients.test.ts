import fc from '../../../../scripts/fast-check.mjs';
import { countsAs, parseRecipient, type RecipientFacts } from './recipients.js';

const facts: RecipientFacts = {
  open: new Set(['own.example', 'bare.example', 'xn--bcher-kva.example']),
  mailboxes: new Set(['bob@own.example']),
  aliases: new Map([
    ['team@own.example', 2],
    ['inside@own.example', 0],
    ['@own.example', 3],
  ]),
};
const count = (text: string) => countsAs(parseRecipient(text), facts);

describe('what a recipient counts as', () => {
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
    ['+team@own.example', 3],
    ['nobody@own.example', 3],
    ['"two words"@own.example', 3],
    ['ünder@own.example', 3],
    ['bob@Bücher.example', 0],
    ['bob@bu\u0308cher。example.', 0],
    ['team+x@XN--BCHER-KVA.example', 0],
    ['@own.example', 3],
    ['inside@own.example', 0],
    ['nobody@bare.example', 0],
  ])('%s counts as %i', (text, expected) => {
    expect(count(text)).toBe(expected);
  });

  it('is the same in upper and lower case, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), (text) => {
        expect(parseRecipient(text.toUpperCase())).toEqual(parseRecipient(text.toLowerCase()));
      }),
    );
  });
});
