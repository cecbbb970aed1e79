import { anApiKey } from '../testing/builders.js';
import { isUsableToken } from './api-key.js';

const NOW = new Date('2026-03-15T12:00:00.000Z');
const ONE_MS = 1;

describe('an API key', () => {
  it('can be used while it is active and not expired', () => {
    expect(() => anApiKey({ expiresAt: null }).refuseUnusable(NOW)).not.toThrow();
    expect(() => anApiKey({ expiresAt: new Date(NOW.getTime() + ONE_MS) }).refuseUnusable(NOW)).not.toThrow();
  });

  it('is refused from its expiry time on', () => {
    expect(() => anApiKey({ expiresAt: NOW }).refuseUnusable(NOW)).toThrow(
      expect.objectContaining({ code: 'api_key_expired' }),
    );
  });

  it('is refused as inactive when it is inactive and expired', () => {
    expect(() => anApiKey({ active: false, expiresAt: NOW }).refuseUnusable(NOW)).toThrow(
      expect.objectContaining({ code: 'api_key_inactive' }),
    );
  });
});

describe('a token', () => {
  it.each(['abcdefgh01234567', 'ms_Zm9vYmFyYmF6cXV4', '._~+=-Aa._~+=-Aa', `${'abcdefgh'.repeat(31)}1234567`])(
    '%s can be used for a new key',
    (token) => {
      expect(isUsableToken(token)).toBe(true);
    },
  );

  it.each([
    ['15 characters', 'abcdefgh0123456'],
    ['256 characters', 'abcdefgh'.repeat(32)],
    ['one repeated letter', 'a'.repeat(16)],
    ['seven different letters', 'abcdefgabcdefgabcdefg'],
    ['digits only', '1234567890123456'],
    ['a blank', 'abcdefgh 0123456789'],
    ['a slash', 'abcdefgh/0123456789'],
    ['a letter outside ASCII', 'äbcdefgh0123456789'],
    ['a line break at the end', 'abcdefgh0123456789\n'],
  ])('with %s cannot', (_, token) => {
    expect(isUsableToken(token)).toBe(false);
  });
});
