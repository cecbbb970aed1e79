/** Returns a parameter of the address when it is a text that is not empty. The router reads `?q=1` as a number. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
