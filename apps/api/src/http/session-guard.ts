import type { IncomingMessage } from 'node:http';
import { Config } from '@mailstead/adapters/config';
import { RequestOrigins } from '@mailstead/adapters/network/request-origins';
import { AppError } from '@mailstead/core/errors';
import { needs } from '@mailstead/core/needs';
import type { CallerSession } from '@mailstead/core/operators/caller';
import { CsrfTokens } from '@mailstead/core/sessions/csrf-tokens';

type GuardedRequest = Pick<IncomingMessage, 'method' | 'headers' | 'socket'>;

const SAFE_METHODS = ['GET', 'HEAD'];
const SAFE_SITES = ['same-origin', 'none'];

/** Refuses requests with a session that another site may have caused, or that others can read on the way. */
@needs(RequestOrigins, CsrfTokens, Config)
export class SessionGuard {
  private readonly publicOrigin: string | null;

  constructor(
    private readonly origins: RequestOrigins,
    private readonly csrf: CsrfTokens,
    { publicUrl }: Pick<Config, 'publicUrl'>,
  ) {
    this.publicOrigin = publicUrl === null ? null : new URL(publicUrl).origin;
  }

  /** Checks a request that came with a session. @throws AppError those of `checkOrigin`, csrf_token_required */
  check(request: GuardedRequest, session: CallerSession): void {
    this.checkOrigin(request);
    if (SAFE_METHODS.includes(request.method ?? '')) return;
    const given = request.headers['x-csrf-token'];
    if (typeof given !== 'string' || !this.csrf.isOf(session.tokenHash, given)) {
      throw new AppError('csrf_token_required');
    }
  }

  /**
   * Checks where a request with a session, or for one, comes from. @throws AppError session_needs_tls,
   * origin_not_allowed
   */
  checkOrigin(request: GuardedRequest): void {
    const isTls = this.origins.isTls(request);
    if (!isTls) this.checkLoopback(request);
    const { origin, host = '', 'sec-fetch-site': site } = request.headers;
    const own = this.publicOrigin ?? `${isTls ? 'https' : 'http'}://${host.toLowerCase()}`;
    const isForeign = origin !== undefined && origin !== own;
    if (isForeign || (site !== undefined && !SAFE_SITES.includes(site))) {
      throw new AppError('origin_not_allowed');
    }
  }

  private checkLoopback(request: GuardedRequest): void {
    if (this.publicOrigin !== null) {
      throw needsTls('PUBLIC_URL is set, and the request did not come through a proxy of TRUST_PROXY that says https');
    }
    if (this.origins.isForwarded(request)) {
      throw needsTls('a proxy must send X-Forwarded-Proto: https, and TRUST_PROXY must name it');
    }
    if (!this.origins.isLoopback(request)) {
      throw needsTls('without it they are only for 127.0.0.1, [::1] and localhost on the machine of the service');
    }
  }
}

function needsTls(reason: string): AppError {
  return new AppError('session_needs_tls', { detail: `Sessions need TLS: ${reason}` });
}
