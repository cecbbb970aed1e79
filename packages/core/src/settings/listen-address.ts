/** The address that a server listens on: `host:port` or `unix:/path`. */
export type ListenAddress = { host: string; port: number } | { path: string };

/** Parses `host:port`, `[v6]:port` or `unix:/path`. @returns null for a text that is no address */
export function parseListenAddress(text: string): ListenAddress | null {
  const path = /^unix:(\/.+)$/.exec(text)?.[1];
  if (path !== undefined) return { path };
  const [, inBrackets, host = inBrackets, port] = /^(?:\[([0-9A-Fa-f:.]+)\]|([^[\]\s/@]+)):(\d{1,5})$/.exec(text) ?? [];
  if (host === undefined || port === undefined || Number(port) > 65_535) return null;
  return { host, port: Number(port) };
}

/** Whether only programs of this machine reach the address. */
export function isOnThisMachine(address: ListenAddress): boolean {
  return 'path' in address || /^(localhost|127(\.\d{1,3}){3}|::1)$/.test(address.host);
}
