export interface SenderClaim {
  /** Who logged in. */
  login: string;
  /** Whom the message says it is from; in lower case. */
  address: string;
}

/** Says which logins may send as which addresses. */
export abstract class SenderCheck {
  /**
   * One answer for each claim, in order. All claims of a message come in one call.
   *
   * @throws any error when it cannot be told now.
   */
  abstract mayUse(claims: readonly SenderClaim[]): Promise<boolean[]>;
}
