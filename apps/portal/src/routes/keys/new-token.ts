const BYTES = 32;

/** Makes a token as the service makes them: `ms_` and 43 characters, 256 bits. */
export function newToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  const text = btoa(String.fromCodePoint(...bytes));
  return `ms_${text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`;
}
