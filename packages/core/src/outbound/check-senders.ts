import type { SenderLogins } from './sender-logins.js';

export interface SenderClaim {
  login: string;
  /** The sender, without angle brackets. No login owns what is not an address. */
  address: string;
}

const PRINTABLE = /^[\x21-\x7e]+$/;

/** Whether logins may send as addresses: the same answer that Postfix gives at MAIL FROM. */
export class CheckSenders {
  constructor(private readonly logins: SenderLogins) {}

  /** @returns one answer for each claim, in order. */
  async execute(claims: readonly SenderClaim[]): Promise<boolean[]> {
    const lookUps = claims.map(({ address }) => lookUpsOf(address.toLowerCase()));
    const logins = await this.logins.ofAddresses([...new Set(lookUps.flat())]);
    return claims.map(({ login }, index) => {
      const found = lookUps[index]?.find((address) => logins.has(address));
      return found !== undefined && logins.get(found)?.has(login.toLowerCase()) === true;
    });
  }
}

/** The keys that Postfix looks up for an address, in order. The first that is found decides, also when it refuses. */
function lookUpsOf(address: string): string[] {
  const at = address.lastIndexOf('@');
  if (at < 1 || !PRINTABLE.test(address)) return [];
  const [localPart, domain] = [address.slice(0, at), address.slice(at)];
  const plus = localPart.indexOf('+');
  return plus < 1 ? [address, domain] : [address, `${localPart.slice(0, plus)}${domain}`, domain];
}
