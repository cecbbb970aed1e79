/**
 * Reads which logins may send as which addresses, by the same rule as the view `mta_sender_logins`, which Postfix
 * reads.
 */
export abstract class SenderLogins {
  /**
   * @returns the logins of each address that has any; `@domain` is the address of a catch-all.
   * @param addresses in lower case, printable ASCII.
   */
  abstract ofAddresses(addresses: readonly string[]): Promise<LoginsByAddress>;
}

export type LoginsByAddress = ReadonlyMap<string, ReadonlySet<string>>;

const PRINTABLE = /^[\x21-\x7e]+$/;

/**
 * The keys that Postfix looks up for an address, in order. Only the first key that has an entry decides, even when it
 * refuses.
 *
 * @param address in lower case. A text that is not an address has no keys.
 */
export function loginKeysOf(address: string): string[] {
  const at = address.lastIndexOf('@');
  if (at < 1 || !PRINTABLE.test(address)) return [];
  const [localPart, domain] = [address.slice(0, at), address.slice(at)];
  const plus = localPart.indexOf('+');
  return plus < 1 ? [address, domain] : [address, `${localPart.slice(0, plus)}${domain}`, domain];
}

/** @param logins those of all keys of the address; login and address in lower case. */
export function maySendAs(login: string, address: string, logins: LoginsByAddress): boolean {
  const found = loginKeysOf(address).find((key) => logins.has(key));
  return found !== undefined && logins.get(found)?.has(login) === true;
}
