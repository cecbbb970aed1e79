import { type DomainName, hasKnownSuffix, parseDomainName } from '@mailstead/core/domains/domain-name';
import { parseCatchAll, parseForeignAddress } from '@mailstead/core/mailboxes/address';
import type { Caller } from '@mailstead/core/operators/caller';

/** One line for each request. It holds no token, no query value and no body. */
export interface RequestLine {
  method: string;
  /** The route's pattern, in which only domain names and addresses are filled in (`loggedPath`). */
  path: string;
  /** The route's pattern, for metrics; empty for a request that matched none. */
  route: string;
  status: number;
  durationMs: number;
  requestId: string;
  caller: Caller | null;
  errorCode: string | null;
}

export abstract class RequestLog {
  abstract request(line: RequestLine): void;
  /**
   * A defect of this service: the only error that is logged with its stack.
   *
   * @param secrets what the request carried and no log may hold.
   */
  abstract defect(error: unknown, requestId: string, secrets: readonly string[]): void;
}

/**
 * Path parameters whose values are logged, when they are what their names say. A token may hold dots and would read as a
 * domain name: hence only names below a suffix that exists.
 */
const READERS: Record<string, (value: string) => string | null> = {
  domain_name: (value) => known(parseDomainName(value)),
  email: readAddress,
  alias: (value) => {
    const catchAll = parseCatchAll(value);
    return catchAll === null ? readAddress(value) : known(catchAll.domain) && catchAll.address;
  },
};
const SECRET_FIELDS = ['token', 'password', 'password_hash'] as const;
/** No token or password is shorter; replacing shorter texts would only make a line unreadable. */
const SHORTEST_SECRET = 8;
const HIDDEN = '[hidden]';

function readAddress(value: string): string | null {
  const parsed = parseForeignAddress(value);
  return parsed === null ? null : known(parsed.domain) && parsed.address;
}

function known(name: DomainName | null): DomainName | null {
  return name !== null && hasKnownSuffix(name) ? name : null;
}

/** The path of a log line. A request that matched no route has none: its path may hold anything, in any form. */
export function loggedPath(route: string, params: Record<string, unknown>): string {
  if (route === '') return '(no route)';
  return route.replaceAll(/:(\w+)/g, (placeholder, name: string) => {
    const value = params[name];
    return (typeof value === 'string' ? READERS[name]?.(value) : null) ?? placeholder;
  });
}

/** The secrets that a request carried: its bearer token, the token in its path, and those in its body. */
export function secretsOf(authorization: string | undefined, params: Record<string, unknown>, body: unknown): string[] {
  const fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const found = [authorization?.trim().split(/ +/).at(-1), params.token, ...SECRET_FIELDS.map((name) => fields[name])];
  return found.filter((each): each is string => typeof each === 'string' && each.length >= SHORTEST_SECRET);
}

export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((left, secret) => left.replaceAll(secret, HIDDEN), text);
}

/** The caller, for a log line. */
export function callerLabel(caller: Caller | null): Record<string, string | number> {
  if (caller === null) return {};
  return caller.kind === 'client' ? { partner: caller.key.partnerRef, key_id: caller.key.id } : { actor: caller.name };
}
