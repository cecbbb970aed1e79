import { timingSafeEqual } from 'node:crypto';
import { ApiKeyRepository } from '@mailstead/core/api-keys/api-key-repository';
import { Clock } from '@mailstead/core/clock';
import { AppError } from '@mailstead/core/errors';
import { WrongTokens } from '@mailstead/core/limits/wrong-tokens';
import { needs } from '@mailstead/core/needs';
import { Authenticator, type Credentials } from '@mailstead/core/operators/authenticator';
import { type Caller, type CallerSession, clientOfKey } from '@mailstead/core/operators/caller';
import { ResolveCaller } from '@mailstead/core/sessions/resolve-caller';
import { SessionLifetime } from '@mailstead/core/sessions/session-lifetime';
import { SessionRepository } from '@mailstead/core/sessions/session-repository';
import { bearerTokenOf, hasBearer, noTokenIn } from './bearer-token.js';
import { OperatorTokens, sha256 } from './operator-tokens.js';
import { sessionCookieOf } from './session-cookie.js';

/**
 * Finds the caller by the bearer token, or by the cookie of a session. Keys and sessions are read for every request, so
 * that a revocation counts at once; concurrent look-ups share one query. An address that sent too many wrong ones is
 * refused without a look-up.
 */
@needs(OperatorTokens, ApiKeyRepository, SessionRepository, WrongTokens, Clock, SessionLifetime, ResolveCaller)
export class TokenAuthenticator extends Authenticator {
  constructor(
    private readonly operators: OperatorTokens,
    private readonly apiKeys: ApiKeyRepository,
    private readonly sessions: SessionRepository,
    private readonly wrongTokens: WrongTokens,
    private readonly clock: Clock,
    private readonly lifetime: SessionLifetime,
    private readonly callers: ResolveCaller,
  ) {
    super();
  }

  override authenticate(credentials: Credentials): Promise<Caller> {
    return this.identify(credentials, (digest) => this.callerOfToken(digest, credentials));
  }

  override authenticateOr(ownToken: string | null, credentials: Credentials): Promise<Caller | null> {
    const own = ownToken === null ? null : sha256(ownToken);
    return this.identify(credentials, async (digest) =>
      own !== null && timingSafeEqual(own, digest) ? null : this.callerOfToken(digest, credentials),
    );
  }

  private async identify<Found extends Caller | null>(
    credentials: Credentials,
    find: (digest: Buffer) => Promise<Found>,
  ): Promise<Found | Caller> {
    const { header, cookie, address } = credentials;
    const token = bearerTokenOf(header);
    if (token !== null) return this.lookUp(sha256(token), address, find);
    const session = hasBearer(header) ? null : sessionCookieOf(cookie);
    // Such a request is no guess, and needs no look-up.
    if (session === null) throw noTokenIn(header);
    return this.lookUp(sha256(session), address, (digest) => this.callerOfSession(digest, credentials));
  }

  private lookUp<Found extends Caller | null>(
    digest: Buffer,
    address: () => string,
    find: (digest: Buffer) => Promise<Found>,
  ): Promise<Found> {
    return this.wrongTokens.lookUp(
      digest.toString('hex'),
      address,
      () => find(digest),
      (found) => (found?.kind === 'client' ? found.partnerId : 'all'),
    );
  }

  private async callerOfToken(digest: Buffer, { isUse = true }: Credentials): Promise<Caller> {
    const operator = this.operators.callerOf(digest);
    if (operator !== null) return operator;
    const chain = await this.apiKeys.findByHash(digest.toString('hex'));
    if (chain === null) throw new AppError('invalid_token');
    const now = this.clock.now();
    chain.refuseUnusable(now);
    if (isUse) this.apiKeys.touch(chain.key, now);
    return clientOfKey(chain);
  }

  private async callerOfSession(digest: Buffer, { isUse = true }: Credentials): Promise<Caller> {
    const found = await this.sessions.findByHash(digest.toString('hex'));
    if (found === null) throw new AppError('invalid_session');
    const { session } = found;
    this.lifetime.refuseEnded(session);
    const caller = this.callers.ofSession(found);
    if (isUse) this.sessions.touch(session, this.clock.now());
    const { id, tokenHash, expiresAt } = session;
    return { ...caller, session: { id, tokenHash, expiresAt } satisfies CallerSession };
  }
}
