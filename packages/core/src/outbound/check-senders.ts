import { needs } from '../needs.js';
import { loginKeysOf, maySendAs, SenderLogins } from './sender-logins.js';

export interface SenderClaim {
  /** As `comparedAddress` gives it. */
  login: string;
  /**
   * The sender address, without angle brackets, as `comparedAddress` gives it. A text that is not an address belongs to
   * no login.
   */
  address: string;
}

/** Checks whether logins may send as addresses, by the same rule that Postfix applies at MAIL FROM. */
@needs(SenderLogins)
export class CheckSenders {
  constructor(private readonly logins: SenderLogins) {}

  /** @returns one result for each claim, in order: true when the login may send as the address. */
  async execute(claims: readonly SenderClaim[]): Promise<boolean[]> {
    const keys = new Set(claims.flatMap(({ address }) => loginKeysOf(address)));
    const logins = await this.logins.ofAddresses([...keys]);
    return claims.map(({ login, address }) => maySendAs(login, address, logins));
  }
}
