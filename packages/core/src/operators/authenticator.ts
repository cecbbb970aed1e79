import type { Caller } from './caller.js';

export abstract class Authenticator {
  /**
   * Identifies the caller of a request by its token.
   *
   * @param header the value of the Authorization header.
   * @throws AppError missing_token, invalid_token, api_key_inactive, api_key_expired, database_unavailable
   */
  abstract authenticate(header: string | undefined): Promise<Caller>;
}
