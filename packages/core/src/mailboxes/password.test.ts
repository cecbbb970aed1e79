import { passwordHashProblem, passwordProblem } from './password.js';

const BCRYPT_TAIL = 'N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';

describe('a password', () => {
  it.each([
    ['7 bytes', 'a'.repeat(7), false],
    ['8 bytes', 'a'.repeat(8), true],
    ['72 bytes', 'a'.repeat(72), true],
    ['73 bytes', 'a'.repeat(73), false],
    ['36 two-byte letters', 'ä'.repeat(36), true],
    ['37 two-byte letters', 'ä'.repeat(37), false],
    ['2 four-byte letters', '😀'.repeat(2), true],
  ])('of %s is accepted or refused by its length in bytes', (_, password, accepted) => {
    expect(passwordProblem(password) === null).toBe(accepted);
  });

  it('that has too many bytes, though not too many characters, is refused with what is counted', () => {
    expect(passwordProblem('ä'.repeat(40))).toBe('must have at most 72 bytes in UTF-8, where ä is 2 and € is 3');
  });
});

describe('a password hash of another system', () => {
  it.each([
    `$2b$12$${BCRYPT_TAIL}`,
    `$2a$04$${BCRYPT_TAIL}`,
    `$2y$12$${BCRYPT_TAIL}`,
    `{SHA512-CRYPT}$6$saltsalt$${'a'.repeat(86)}`,
    `{SHA512-CRYPT}$6$rounds=100000$saltsalt$${'a'.repeat(86)}`,
  ])('may be %s', (hash) => {
    expect(passwordHashProblem(hash)).toBeNull();
  });

  it.each([
    `$2b$03$${BCRYPT_TAIL}`,
    `$2b$13$${BCRYPT_TAIL}`,
    `$2y$14$${BCRYPT_TAIL}`,
    `$2x$12$${BCRYPT_TAIL}`,
    `$2b$12$${BCRYPT_TAIL}x`,
    `{SHA512-CRYPT}$6$rounds=100001$saltsalt$${'a'.repeat(86)}`,
    `$6$saltsalt$${'a'.repeat(86)}`,
    '{PLAIN}secret-secret',
    '',
  ])('may not be %s', (hash) => {
    expect(passwordHashProblem(hash)).toMatch(/^must /);
  });
});
