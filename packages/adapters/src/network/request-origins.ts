import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import { HealthCheck } from '@mailstead/core/health-check';
import { needs } from '@mailstead/core/needs';
import { isInside, type Network, parseAddress, parseNetwork, senderOf } from './ip-address.js';

type OriginRequest = Pick<IncomingMessage, 'headers' | 'socket'>;

/** Where a request comes from. */
export interface RequestOrigin {
  /** The IP address of the sender, an IPv6 address as its /64 network. */
  address: string;
  /** Whether the sender uses TLS. */
  isTls: boolean;
}

const FORWARDING_HEADERS = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-server',
  'x-real-ip',
];
/** For a socket that was closed meanwhile. */
const UNKNOWN = 'unknown';

/**
 * Finds out where requests come from. The headers `X-Forwarded-For` and `X-Forwarded-Proto` count only when the peer of
 * the connection is a trusted proxy: anybody can send them.
 */
export class RequestOrigins {
  private readonly trusted: Network[];
  private ignored = false;

  /**
   * @param trusted addresses and networks of the trusted proxies
   * @param onIgnored called once, with the first noticed request that has these headers while no proxy is trusted
   */
  constructor(
    trusted: readonly string[],
    public onIgnored: () => void = () => {},
  ) {
    this.trusted = trusted.map(parseNetwork).filter((network) => network !== null);
  }

  /** Whether a noticed request had these headers while no proxy is trusted. */
  get areHeadersIgnored(): boolean {
    return this.ignored;
  }

  /** Notices headers of a proxy that nobody trusts. Call it for every request with a right token, and for no other. */
  notice({ headers }: OriginRequest): void {
    if (this.ignored || this.trusted.length > 0) return;
    if (headers['x-forwarded-for'] === undefined && headers['x-forwarded-proto'] === undefined) return;
    this.ignored = true;
    this.onIgnored();
  }

  originOf(request: OriginRequest): RequestOrigin {
    return { address: this.addressOf(request), isTls: this.isTls(request) };
  }

  /** Walks from the peer through the proxies, to the first address that is not a trusted proxy. */
  addressOf({ headers, socket }: OriginRequest): string {
    const peer = parseAddress(socket.remoteAddress ?? '');
    if (peer === null) return UNKNOWN;
    let sender = peer;
    for (const entry of entriesOf(headers['x-forwarded-for']).toReversed()) {
      if (!isInside(sender, this.trusted)) break;
      const named = parseAddress(entry);
      if (named === null) return senderOf(peer);
      sender = named;
    }
    return senderOf(sender);
  }

  /**
   * Returns the address whose requests are bounded together; null for a peer on this machine while no proxy is trusted:
   * it may be a proxy, through which everybody comes.
   */
  boundedAddressOf(request: OriginRequest): string | null {
    const peer = parseAddress(request.socket.remoteAddress ?? '');
    return this.trusted.length === 0 && peer?.range() === 'loopback' ? null : this.addressOf(request);
  }

  /** Whether a proxy passed the request on, trusted or not. */
  isForwarded({ headers }: OriginRequest): boolean {
    return FORWARDING_HEADERS.some((name) => headers[name] !== undefined);
  }

  /** Whether the peer of the connection is this machine, and the sender called it by such a name. */
  isLoopback({ headers, socket }: OriginRequest): boolean {
    const peer = parseAddress(socket.remoteAddress ?? '');
    return peer?.range() === 'loopback' && isLoopbackHost(headers.host ?? '');
  }

  isTls({ headers, socket }: OriginRequest): boolean {
    if (socket instanceof TLSSocket) return true;
    const peer = parseAddress(socket.remoteAddress ?? '');
    const schemes = entriesOf(headers['x-forwarded-proto']);
    // A proxy may append its entry to one that the sender chose, so all must say https.
    return (
      peer !== null &&
      isInside(peer, this.trusted) &&
      schemes.length > 0 &&
      schemes.every((scheme) => scheme.toLowerCase() === 'https')
    );
  }
}

/** Warns when a proxy is in front of this process and `TRUST_PROXY` does not name it. */
@needs(RequestOrigins)
export class TrustProxyCheck extends HealthCheck {
  override readonly name = 'trust_proxy';
  override readonly isWarning = true;

  constructor(private readonly origins: RequestOrigins) {
    super();
  }

  override async problem(): Promise<string | null> {
    return this.origins.areHeadersIgnored ? IGNORED_HEADERS : null;
  }
}

export const IGNORED_HEADERS =
  'Requests with a right token have X-Forwarded-For or X-Forwarded-Proto, and TRUST_PROXY is not set: all senders behind a proxy count as one address';

/** A name other than `localhost` may be one that somebody else made to lead here. */
function isLoopbackHost(host: string): boolean {
  const name = host.replace(/:\d{1,5}$/, '').toLowerCase();
  return name === 'localhost' || parseAddress(name)?.range() === 'loopback';
}

function entriesOf(header: string | string[] | undefined): string[] {
  if (header === undefined) return [];
  return String(header)
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}
