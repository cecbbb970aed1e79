import { type ParsedAddress, parseOwnAddress } from './address.js';
import { CommonPasswordRule, CommonPasswords } from './common-password-rule.js';

class OneCommonPassword extends CommonPasswords {
  override has(password: string): Promise<boolean> {
    return Promise.resolve(password === 'password');
  }
}

describe('a password that is guessed first', () => {
  const rule = new CommonPasswordRule(new OneCommonPassword());
  const address = parseOwnAddress('annabella@box.example') as ParsedAddress;

  it.each([
    'password',
    'PassWord',
    '  password ',
    'ｐａｓｓｗｏｒｄ',
    '        ',
    '\u3000\u3000\u3000',
    'aaaaaaaaaaaa',
    'AaAaAaAa',
    '😀😀😀😀',
    'annabella@box.example',
    'Annabella@Box.Example',
    'annabella',
    'box.example',
  ])('such as %j is refused', async (password) => {
    await expect(rule.check(password, address)).rejects.toMatchObject({
      code: 'password_too_common',
      errors: [{ field: 'password', message: expect.any(String) }],
    });
  });

  it.each(['password of annabella', 'annabella@box.example.org', 'aaaaaaab', 'pass word'])(
    'does not include %j',
    async (password) => {
      await expect(rule.check(password, address)).resolves.toBeUndefined();
    },
  );

  it.each(['Bücher.example', 'bu\u0308cher.example', 'xn--bcher-kva.example', 'Annabella@Bücher.example'])(
    'such as %j is refused for an address of that domain',
    async (password) => {
      const international = parseOwnAddress('annabella@bücher.example') as ParsedAddress;
      await expect(rule.check(password, international)).rejects.toMatchObject({ code: 'password_too_common' });
    },
  );
});
