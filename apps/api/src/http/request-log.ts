import type { IncomingHttpHeaders } from 'node:http';
import { sessionCookieOf } from '@mailstead/adapters/crypto/session-cookie';
import { type DomainName, hasKnownSuffix, parseDomainName } from '@mailstead/core/domains/domain-name';
import { parseCatchAll, parseForeignAddress } from '@mailstead/core/mailboxes/address';
import type { Caller } from '@mailstead/core/operators/caller';

/** Ids of a request, for its response, its log lines and its audit rows. */
export interface RequestIds {
  /** The caller's `X-Request-Id`, which may occur in several requests, or else the same as `requestUid`. */
  requestId: string;
  /** Made by the service; no two requests have the same. */
  requestUid: string;
}

/** The log line of one request. It contains no token, no query value and no body. */
export interface RequestLine extends RequestIds {
  /** `(none)` for a request that Node's parser refused. */
  method: string;
  /** The route's pattern, with only domain names and addresses filled in (`loggedPath`). */
  path: string;
  /** The route's pattern, for metrics; empty when no route matched. */
  route: string;
  status: number;
  durationMs: number;
  caller: Caller | null;
  errorCode: string | null;
  /** Fields that the handler added. */
  added: LogFields;
  /** Whether it is logged with `LOG_LEVEL=debug` only. The default is false. */
  isQuiet?: boolean;
}

type LogValue = string | number | boolean | null;

/** Fields of a log line. None may contain a secret or a text that the caller chose. */
export interface LogFields {
  [name: string]: LogValue | undefined | LogFields | readonly LogFields[];
}

export abstract class RequestLog {
  abstract request(line: RequestLine): void;
  /** Logs something that the operator should change. */
  abstract warning(message: string): void;
  /**
   * Logs a defect of this service with its stack. Other errors are logged without a stack.
   *
   * @param secrets secrets of the request, which are replaced in the stack.
   */
  abstract defect(error: unknown, ids: RequestIds, secrets: readonly string[]): void;
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
const SECRET_FIELDS = ['token', 'password', 'password_hash', 'code'] as const;
/** No token or password is shorter. Replacing shorter texts would make the line unreadable. */
const SHORTEST_SECRET = 8;
const HIDDEN = '[hidden]';

/** Returns a name or an address for a log line; null when it does not parse as one, because it may be any secret. */
export function loggedName(text: string): string | null {
  return text.includes('@') ? readAddress(text) : known(parseDomainName(text));
}

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

/**
 * Returns the secrets of a request: its bearer token, its session, the token in its path, and the secrets in its body
 * and its items.
 */
export function secretsOf(
  { authorization, cookie, 'x-csrf-token': csrf }: IncomingHttpHeaders,
  params: Record<string, unknown>,
  body: unknown,
): string[] {
  const { items } = fieldsIn(body);
  const inBody = [body, ...(Array.isArray(items) ? items : [])].map(fieldsIn);
  const found = [
    authorization?.trim().split(/ +/).at(-1),
    sessionCookieOf(cookie),
    csrf,
    params.token,
    ...inBody.flatMap((fields) => SECRET_FIELDS.map((name) => fields[name])),
  ];
  return found.filter((each): each is string => typeof each === 'string' && each.length >= SHORTEST_SECRET);
}

function fieldsIn(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((cleaned, secret) => cleaned.replaceAll(secret, HIDDEN), text);
}

/** Returns the caller for a log line. */
export function callerLabel(caller: Caller | null): Record<string, string | number> {
  if (caller === null) return {};
  if (caller.kind !== 'client') return { actor: caller.name };
  const { kind, id } = caller.credential;
  return { partner: caller.partnerRef ?? '', [`${kind}_id`]: id };
}
