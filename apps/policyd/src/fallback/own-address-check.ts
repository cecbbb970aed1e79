import { isRefusal } from '../is-refusal.js';
import { SenderCheck, type SenderClaim } from '../milter/sender-check.js';

/**
 * Lets a login use its own address while the API is unavailable (`POLICY_FAIL=open`). Other addresses cannot be checked
 * then, so messages with them are deferred.
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
