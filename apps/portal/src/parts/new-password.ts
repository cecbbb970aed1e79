const LENGTH = 20;
/** Without letters and digits that look alike. */
const CHARACTERS = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** Makes a password of 20 characters, about 116 bits. */
export function newPassword(): string {
  let password = '';
  while (password.length < LENGTH) {
    for (const byte of crypto.getRandomValues(new Uint8Array(LENGTH))) {
      // Larger values would make the first characters more frequent.
      if (byte < CHARACTERS.length * 4 && password.length < LENGTH) password += CHARACTERS[byte % CHARACTERS.length];
    }
  }
  return password;
}
