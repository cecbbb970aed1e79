/** The address of a server: host and port, or a unix socket. */
export type Endpoint = { kind: 'inet'; host: string; port: number } | { kind: 'unix'; path: string };

/** The address that a server listens on. A null `host` means all addresses of the machine. */
export interface ListenAddress {
  host: string | null;
  port: number;
}

const PATH = String.raw`/[A-Za-z0-9._/@+-]+`;
const HOST = String.raw`(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])`;

export const ENDPOINT = {
  pattern: new RegExp(`^(?:${PATH}|${HOST}:\\d{1,5})$`),
  expects: 'an address such as 127.0.0.1:10040 or the path of a unix socket',
};
export const LISTEN_ADDRESS = {
  pattern: new RegExp(`^(?:${HOST}:)?\\d{1,5}$`),
  expects: 'a port such as 25, or an address and a port such as 127.0.0.1:25',
};
export const FILE_PATH = {
  pattern: new RegExp(`^${PATH}$`),
  expects: 'an absolute path of letters, digits and ._/@+-',
};

/** Parses `host:port`, `[v6]:port` or `/path`. The text must match ENDPOINT. */
export function parseEndpoint(text: string): Endpoint {
  if (text.startsWith('/')) return { kind: 'unix', path: text };
  const { host, port } = parseListenAddress(text);
  return { kind: 'inet', host: host ?? '127.0.0.1', port };
}

/** Parses `port`, `host:port` or `[v6]:port`. The text must match LISTEN_ADDRESS. */
export function parseListenAddress(text: string): ListenAddress {
  const colon = text.lastIndexOf(':');
  const host = colon === -1 ? null : text.slice(0, colon).replace(/^\[|\]$/g, '');
  return { host, port: Number(text.slice(colon + 1)) };
}

/** Returns the address in Postfix's syntax: `inet:host:port` or `unix:/path`. */
export function postfixEndpoint(endpoint: Endpoint): string {
  return endpoint.kind === 'unix' ? `unix:${endpoint.path}` : `inet:${hostAndPort(endpoint.host, endpoint.port)}`;
}

/** Returns `host:port`, with brackets around an IPv6 address. */
export function hostAndPort(host: string | null, port: number): string {
  if (host === null) return String(port);
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
