import { ListedPasswords } from './listed-passwords.js';

describe('the list of common passwords', () => {
  const list = new ListedPasswords();

  it.each(['password', '12345678', 'qwertyuiop', 'iloveyou', 'password1', 'trustno1', 'football', 'sunshine'])(
    'has %s',
    async (password) => {
      expect(await list.has(password)).toBe(true);
    },
  );

  it.each(['correct horse', 'correct horse battery', 'vR7q-Lx2m-93kd', ''])('does not have %j', async (password) => {
    expect(await list.has(password)).toBe(false);
  });
});
