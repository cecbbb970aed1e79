import type { ApiKeyRepository } from '@mailstead/core/api-keys/api-key-repository';
import type { Clock } from '@mailstead/core/clock';
import { AppError } from '@mailstead/core/errors';
import { Authenticator } from '@mailstead/core/operators/authenticator';
import type { Caller } from '@mailstead/core/operators/caller';
import { type OperatorTokens, sha256 } from './operator-tokens.js';

const BEARER = /^Bearer +([A-Za-z0-9._~+/=-]{1,512}) *$/i;

/** Finds the caller by the bearer token. An API key is read for every request; concurrent look-ups share one query. */
export class TokenAuthenticator extends Authenticator {
  constructor(
    private readonly operators: OperatorTokens,
    private readonly apiKeys: ApiKeyRepository,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async authenticate(header: string | undefined): Promise<Caller> {
    const token = header === undefined ? undefined : BEARER.exec(header)?.[1];
    if (token === undefined) throw new AppError('missing_token');
    const digest = sha256(token);
    const operator = this.operators.callerOf(digest);
    if (operator !== null) return operator;
    const key = await this.apiKeys.findByHash(digest.toString('hex'));
    if (key === null) throw new AppError('invalid_token');
    const now = this.clock.now();
    key.refuseUnusable(now);
    this.apiKeys.touch(key, now);
    return { kind: 'client', key };
  }
}
