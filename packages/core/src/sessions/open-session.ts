import { ApiKeyRepository } from '../api-keys/api-key-repository.js';
import { TokenHasher } from '../api-keys/token-hasher.js';
import { Clock } from '../clock.js';
import { AppError } from '../errors.js';
import { KnownTokens } from '../limits/known-tokens.js';
import { needs } from '../needs.js';
import type { Caller } from '../operators/caller.js';
import type { RequestOwner } from '../partners/partner-scope.js';
import { RandomSource } from '../random-source.js';
import { UnitOfWork } from '../unit-of-work.js';
import { Session, type SessionOwner } from './session.js';
import { requestOwnerOf, sessionOwnerOf } from './session-owner.js';
import { SessionRepository } from './session-repository.js';

/** A session that was just opened, with the value of its cookie. */
export interface OpenedSession {
  session: Session;
  cookie: string;
}

/** Opens a session for a caller with a bearer token. */
@needs(UnitOfWork, ApiKeyRepository, SessionRepository, TokenHasher, RandomSource, KnownTokens, Clock)
export class OpenSession {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly apiKeys: ApiKeyRepository,
    private readonly sessions: SessionRepository,
    private readonly tokens: TokenHasher,
    private readonly random: RandomSource,
    private readonly known: KnownTokens,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError invalid_token when the key was deleted meanwhile */
  execute(caller: Caller): Promise<OpenedSession> {
    const owner = sessionOwnerOf(caller);
    return this.unitOfWork.run(async () => {
      // The lock makes the number of the key's sessions exact.
      if (owner.kind === 'key' && (await this.apiKeys.lock({ id: owner.id })) === null) {
        throw new AppError('invalid_token');
      }
      return this.open(owner, requestOwnerOf(caller));
    });
  }

  /** Opens a session. @param latest when it ends at the latest */
  async open(owner: SessionOwner, requestOwner: RequestOwner, latest?: Date): Promise<OpenedSession> {
    const cookie = this.random.secret();
    const session = Session.open(this.tokens.hash(cookie), owner, this.clock.now(), latest);
    await this.sessions.add(session, owner);
    // Otherwise wrong tokens of the same address would refuse its first request.
    this.known.remember(session.tokenHash, requestOwner);
    return { session, cookie };
  }
}
