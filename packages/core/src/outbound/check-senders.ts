import type { SenderLogins } from './sender-logins.js';

export interface SenderClaim {
  login: string;
  /** The sender address, without angle brackets. A text that is not an address belongs to no login. */
  address: string;
}

const PRINTABLE = /^[\x21-\x7e]+$/;

/** Checks whether logins may send as addresses, by the same rule that Postfix applies at MAIL FROM. */
export class CheckSenders {
  constructor(private readonly logins: SenderLogins) {}

  /** @returns one result for each claim, in order: true when the login may send as the address. */
  async execute(claims: readonly SenderClaim[]): Promise<boolean[]> {
    const lookUps = claims.map(({ address }) => lookUpsOf(address.toLowerCase()));
    const logins = await this.logins.ofAddresses([...new Set(lookUps.flat())]);
    return claims.map(({ login }, index) => {
      const found = lookUps[index]?.find((address) => logins.has(address));
      return found !== undefined && logins.get(found)?.has(login.toLowerCase()) === true;
    });
  }
}

/**
 * The keys that Postfix looks up for an address, in order. Only the first key that has an entry decides, even when it
 * refuses.
 */
function lookUpsOf(address: string): string[] {
  const at = address.lastIndexOf('@');
  if (at < 1 || !PRINTABLE.test(address)) return [];
  const [localPart, domain] = [address.slice(0, at), address.slice(at)];
  const plus = localPart.indexOf('+');
  return plus < 1 ? [address, domain] : [address, `${localPart.slice(0, plus)}${domain}`, domain];
}
