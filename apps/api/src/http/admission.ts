import { RequestOrigins } from '@mailstead/adapters/network/request-origins';
import { RateLimits, type Spender, WINDOW_S } from '@mailstead/core/limits/rate-limits';
import { needs } from '@mailstead/core/needs';
import { Authenticator, type Credentials } from '@mailstead/core/operators/authenticator';
import type { Caller, Client } from '@mailstead/core/operators/caller';
import { RestoreGate } from '@mailstead/core/recovery/restore-gate';
import { authorize, refuseBeforeAccepted } from './authorize.js';
import type { Exchange } from './exchange.js';
import type { Route } from './route.js';
import { SessionGuard } from './session-guard.js';

/** What a public route with a token of its own checks it with. */
export interface Entrance {
  credentials: Credentials;
  charge: (caller: Caller) => void;
  /** Checks where a request for a session comes from. @throws AppError session_needs_tls, origin_not_allowed */
  checkOrigin: () => void;
}

/** The checks of a request before its body is read, and the charge for the items of its body. */
@needs(Authenticator, RateLimits, RequestOrigins, SessionGuard, RestoreGate)
export class Admission {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly rates: RateLimits,
    private readonly origins: RequestOrigins,
    private readonly guard: SessionGuard,
    private readonly gate: RestoreGate,
  ) {}

  /**
   * Checks the token or session, then the rate of the partner and of the key, then where a request with a session comes
   * from, then the kind of caller. Sets the caller and the
   * `RateLimit` headers of the exchange.
   *
   * @throws AppError those of `authenticate`, `SessionGuard` and `authorize`, rate_limited, restore_not_accepted
   */
  async admit(route: Route, exchange: Exchange): Promise<void> {
    const { request } = exchange;
    exchange.sender = {
      address: () => this.origins.addressOf(request),
      isLocal: () => this.origins.isLoopback(request) && !this.origins.isForwarded(request),
    };
    if (route.access === 'public') {
      await route.admit?.({
        credentials: this.credentialsOf(exchange),
        charge: (caller) => this.chargeRequest(exchange, caller),
        checkOrigin: () => this.guard.checkOrigin(request),
      });
      return;
    }
    const caller = await this.authenticator.authenticate(this.credentialsOf(exchange));
    refuseBeforeAccepted(caller, this.gate);
    this.chargeRequest(exchange, caller);
    if (caller.session !== undefined) this.guard.check(request, caller.session);
    authorize(caller, route);
  }

  /**
   * Checks the caller of an open response again.
   *
   * @throws AppError those of `authenticate` and `authorize`, restore_not_accepted
   */
  identify(route: Route, exchange: Exchange): Promise<Caller> {
    return this.admitToken(route, { ...this.credentialsOf(exchange), isUse: false });
  }

  /**
   * Checks the token of a request without charging it: operators have no rate.
   *
   * @throws AppError those of `authenticate` and `authorize`, restore_not_accepted
   */
  async admitToken(route: Route, credentials: Credentials): Promise<Caller> {
    const caller = await this.authenticator.authenticate(credentials);
    refuseBeforeAccepted(caller, this.gate);
    authorize(caller, route);
    return caller;
  }

  /** Charges a bulk request for its items. @throws AppError rate_limited */
  chargeItems(route: Route, exchange: Exchange, body: object): void {
    const items = route.items?.(body);
    if (items === undefined || exchange.caller === null) return;
    this.charge(exchange, exchange.caller, (spender) => this.rates.admitItems(spender, items));
  }

  private credentialsOf({ request, sender }: Exchange): Credentials {
    const { authorization, cookie } = request.headers;
    return { header: authorization, cookie, address: sender.address };
  }

  /**
   * Notes who the caller is and charges the request. Headers of a proxy are noticed only now: what a stranger sends is
   * no reason to warn the operator.
   *
   * @throws AppError rate_limited
   */
  chargeRequest(exchange: Exchange, caller: Caller): void {
    exchange.caller = caller;
    this.origins.notice(exchange.request);
    this.charge(exchange, caller, (spender) => this.rates.admit(spender));
  }

  /** Only clients have a rate. */
  private charge(exchange: Exchange, caller: Caller, take: (spender: Spender) => void): void {
    if (caller.kind !== 'client' || !this.rates.isOn) return;
    const spender = spenderOf(caller);
    try {
      take(spender);
    } finally {
      exchange.rateHeaders = this.rateHeaders(spender);
    }
  }

  /** Structured fields, as the tenth draft of `RateLimit header fields for HTTP` defines them. */
  private rateHeaders(spender: Spender): Record<string, string> {
    const { share } = spender;
    const { sizes } = this.rates;
    const [ofPartner, ofShare] = this.rates.statesOf(spender);
    const policy = (name: 'partner' | typeof share) => `"${name}";q=${Math.ceil(sizes[name].capacity)};w=${WINDOW_S}`;
    return {
      'RateLimit-Policy': `${policy('partner')}, ${policy(share)}`,
      RateLimit: `"partner";r=${ofPartner.remaining};t=${ofPartner.fullInS}, "${share}";r=${ofShare.remaining};t=${ofShare.fullInS}`,
    };
  }
}

/** A key and each of its sessions have a share of their own. The sessions of one link have one together. */
function spenderOf({ partnerId, credential, session }: Client): Spender {
  if (credential.kind === 'link') return { partnerId, share: 'link', holder: `l${credential.id}` };
  return { partnerId, share: 'key', holder: session === undefined ? `k${credential.id}` : `s${session.id}` };
}
