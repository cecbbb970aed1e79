import type { Caller } from './caller.js';

/** What a request says about its sender. */
export interface Credentials {
  /** The value of the Authorization header. */
  header: string | undefined;
  /** The value of the Cookie header. A bearer token goes before a session. */
  cookie?: string | undefined;
  /** Returns the IP address of the sender, an IPv6 address as its /64 network. Wrong tokens count for it. */
  address: () => string;
  /**
   * False for the later look-ups of a response that stays open: they keep no idle session alive. The default is true.
   */
  isUse?: boolean;
}

export abstract class Authenticator {
  /**
   * Identifies the caller of a request by its bearer token or, without one, by the cookie of its session.
   *
   * @throws AppError missing_token, invalid_token, api_key_inactive, api_key_expired, invalid_session,
   * too_many_wrong_tokens, database_unavailable
   */
  abstract authenticate(credentials: Credentials): Promise<Caller>;
  /**
   * Like `authenticate`, for a route that also accepts a token of its own.
   *
   * @returns null for that token.
   */
  abstract authenticateOr(ownToken: string | null, credentials: Credentials): Promise<Caller | null>;
}
