import { isRefusal } from '../is-refusal.js';
import { SenderCheck, type SenderClaim } from '../milter/sender-check.js';

/**
 * While the API is away (`POLICY_FAIL=open`) a login may send as itself: a mailbox that could log in may always use its own address.
 * Of any other address it cannot be told, so such a message is put off.
 */
export class OwnAddressCheck extends SenderCheck {
  constructor(private readonly check: SenderCheck) {
    super();
  }

  override async mayUse(claims: readonly SenderClaim[]): Promise<boolean[]> {
    try {
      return await this.check.mayUse(claims);
    } catch (error) {
      if (isRefusal(error) || claims.some(({ login, address }) => login.toLowerCase() !== address)) throw error;
      return claims.map(() => true);
    }
  }
}
