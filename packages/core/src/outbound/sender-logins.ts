/** Reads which logins may send as which addresses, by the same rule as the view `mta_sender_logins`, which Postfix reads. */
export abstract class SenderLogins {
  /**
   * @returns the logins of each address that has any; `@domain` is the address of a catch-all.
   * @param addresses in lower case, printable ASCII.
   */
  abstract ofAddresses(addresses: readonly string[]): Promise<Map<string, Set<string>>>;
}
