export interface SenderClaim {
  /** The login name. */
  login: string;
  /** The address that the message claims to be from, in lower case. */
  address: string;
}

/** Decides which logins may send as which addresses. */
export abstract class SenderCheck {
  /**
   * Returns one answer for each claim, in order. All claims of a message come in one call.
   *
   * @throws any error when the claims cannot be checked now.
   */
  abstract mayUse(claims: readonly SenderClaim[]): Promise<boolean[]>;
}
