import { type DomainName, hasKnownSuffix, parseDomainName } from '@mailstead/core/domains/domain-name';
import { parseCatchAll, parseForeignAddress } from '@mailstead/core/mailboxes/address';
import type { Caller } from '@mailstead/core/operators/caller';

/** The log line of one request. It contains no token, no query value and no body. */
export interface RequestLine {
  method: string;
  /** The route's pattern, with only domain names and addresses filled in (`loggedPath`). */
  path: string;
  /** The route's pattern, for metrics; empty when no route matched. */
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
   * Logs a defect of this service with its stack. Other errors are logged without a stack.
   *
   * @param secrets secrets of the request, which are replaced in the stack.
   */
  abstract defect(error: unknown, requestId: string, secrets: readonly string[]): void;
}

/**
 * Parsers of the path parameters that are logged. A value that does not parse is not logged. A token with dots would
 * parse as a domain name, so only names with a known suffix are accepted.
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
/** No token or password is shorter. Replacing shorter texts would make the line unreadable. */
const SHORTEST_SECRET = 8;
const HIDDEN = '[hidden]';

function readAddress(value: string): string | null {
  const parsed = parseForeignAddress(value);
  return parsed === null ? null : known(parsed.domain) && parsed.address;
}

function known(name: DomainName | null): DomainName | null {
  return name !== null && hasKnownSuffix(name) ? name : null;
}

/** Returns the path for a log line. The path of a request without a route is not logged: it may contain any secret. */
export function loggedPath(route: string, params: Record<string, unknown>): string {
  if (route === '') return '(no route)';
  return route.replaceAll(/:(\w+)/g, (placeholder, name: string) => {
    const value = params[name];
    return (typeof value === 'string' ? READERS[name]?.(value) : null) ?? placeholder;
  });
}

/** Returns the secrets of a request: its bearer token, the token in its path and the secrets in its body. */
export function secretsOf(authorization: string | undefined, params: Record<string, unknown>, body: unknown): string[] {
  const fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const found = [authorization?.trim().split(/ +/).at(-1), params.token, ...SECRET_FIELDS.map((name) => fields[name])];
  return found.filter((each): each is string => typeof each === 'string' && each.length >= SHORTEST_SECRET);
}

export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((cleaned, secret) => cleaned.replaceAll(secret, HIDDEN), text);
}

/** Returns the caller for a log line. */
export function callerLabel(caller: Caller | null): Record<string, string | number> {
  if (caller === null) return {};
  return caller.kind === 'client' ? { partner: caller.key.partnerRef, key_id: caller.key.id } : { actor: caller.name };
}
