/** Completes an address that was typed without its domain. */
export function addressIn(domain: string, typed: string): string {
  const text = typed.trim();
  return text === '' || text.includes('@') ? text : `${text}@${domain}`;
}
