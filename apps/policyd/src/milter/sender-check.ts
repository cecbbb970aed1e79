export interface SenderClaim {
  /** The login name. */
  login: string;
  /** The address that the message claims to be from, in lower case. */
  address: string;
}

/** Decides which sender addresses a login may use. */
export abstract class SenderCheck {
  /**
   * Checks all claims of a message.
   *
   * @returns one boolean for each claim, in order.
   * @throws Error when the claims cannot be checked now.
   */
  abstract mayUse(claims: readonly SenderClaim[]): Promise<boolean[]>;
}
