import { type LookupAddress, type LookupOptions, promises } from 'node:dns';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import type { Agent, buildConnector } from 'undici';

export interface GuardedAgentOptions {
  /** Whether an IP address may be connected to. */
  allow: (address: string) => boolean;
  connectTimeoutMs: number;
  /** A larger response is an error. */
  maxResponseBytes: number;
  /** Resolves names; the system's resolver by default, whose few threads a slow name server can keep busy. */
  resolve?: (host: string) => Promise<LookupAddress[]>;
  /** Certificates that are trusted besides those of Node. */
  ca?: string;
}

/**
 * Creates an HTTP client that connects only to allowed IP addresses, against server-side request forgery (SSRF). It
 * checks IP literals in the URL, which bypass `lookup`; all resolved addresses; and the address of the open socket,
 * because the DNS may change after the look-up. It follows no redirects and keeps no connection open.
 */
export async function createGuardedAgent(options: GuardedAgentOptions): Promise<Agent> {
  const undici = await import('undici');
  const connector = undici.buildConnector({
    timeout: options.connectTimeoutMs,
    lookup: guardLookup(options.allow, options.resolve ?? resolveBySystem),
    ...(options.ca === undefined ? {} : { ca: options.ca }),
  });
  return new undici.Agent({
    connect: guardConnector(connector, options),
    pipelining: 0,
    maxResponseSize: options.maxResponseBytes,
  });
}

function guardConnector(connector: buildConnector.connector, { allow, maxResponseBytes }: GuardedAgentOptions) {
  return (target: buildConnector.Options, done: buildConnector.Callback): void => {
    const host = target.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0 && !allow(host)) {
      done(refusal(host), null);
      return;
    }
    connector(target, (error, socket) => {
      if (socket === null || socket === undefined) {
        done(error ?? new Error('No connection was made'), null);
      } else if (allow(socket.remoteAddress ?? '')) {
        endWhenLonger(socket, maxResponseBytes);
        done(null, socket);
      } else {
        socket.destroy();
        done(refusal(host), null);
      }
    });
  };
}

/**
 * Ends a connection on which more comes than a response may have, with as much again for its headers and for TLS.
 * undici counts a body and one header, not interim responses, extensions of chunks and trailers, which may be endless.
 */
function endWhenLonger(socket: Socket, maxResponseBytes: number): void {
  const most = socket.bytesRead + 2 * maxResponseBytes;
  // A second listener changes nothing for undici, which reads when it hears of this event too.
  socket.on('readable', () => {
    if (socket.bytesRead > most) socket.destroy(new Error('The response is too long'));
  });
}

/**
 * Refuses a name when any of its addresses is forbidden: allowed and forbidden addresses together suggest an attack.
 */
function guardLookup(
  allow: (address: string) => boolean,
  resolve: (host: string) => Promise<LookupAddress[]>,
): LookupFunction {
  return (host, options: LookupOptions, done) => {
    resolve(host).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined) done(new Error(`${host} has no address`), []);
        else if (!addresses.every(({ address }) => allow(address))) done(refusal(host), []);
        else if (options.all === true) done(null, addresses);
        else done(null, first.address, first.family);
      },
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error)), []),
    );
  };
}

function resolveBySystem(host: string): Promise<LookupAddress[]> {
  return promises.lookup(host, { all: true });
}

function refusal(host: string): Error {
  return new Error(`${host} is not a public address; set NOTIFY_ALLOW_PRIVATE=true if it may be reached`);
}
