import type { KeyLimits } from '../api-keys/api-key.js';
import type { KeyChain } from '../api-keys/key-chain.js';
import type { PartnerRef, PartnerStage } from '../partners/partner.js';
import type { PartnerRows } from '../partners/partner-scope.js';

export const OPERATOR_SCOPES = ['policy', 'billing', 'read'] as const;
export type OperatorScope = (typeof OPERATOR_SCOPES)[number];

/** The caller of a request whose token or session was accepted. */
export type Caller = OperatorCaller | Client;

/** Master, or an operator with a narrower scope. */
export type OperatorCaller =
  | ({ kind: 'master'; name: string } & FromSettings)
  | ({ kind: 'operator'; name: string; scope: OperatorScope } & FromSettings);

/** A caller with a token of the settings. */
interface FromSettings extends WithSession {
  /**
   * SHA-256 of the token, 64 hex digits. Sessions and links are bound to it. Absent for callers that are not a
   * request's.
   */
  operatorHash?: string;
}

interface WithSession {
  /** Absent for a caller with a bearer token. */
  session?: CallerSession;
}

/** The session with whose cookie a request came. */
export interface CallerSession {
  id: number;
  /** SHA-256 of the cookie's value, 64 hex digits. */
  tokenHash: string;
  /** When it ends at the latest. */
  expiresAt: Date;
}

/** `manage` may change what it sees, `read` may not. */
export const CLIENT_SCOPES = ['manage', 'read'] as const;
export type ClientScope = (typeof CLIENT_SCOPES)[number];

/** A caller of one partner: an API key, or a session of a portal link. */
export interface Client extends PartnerRows, WithSession {
  kind: 'client';
  /** Null for a link to a domain of no partner. */
  partnerRef: PartnerRef | null;
  /** Null while the partner is not suspended. */
  partnerStage: PartnerStage | null;
  credential: { kind: 'key'; id: number } | { kind: 'link'; id: number; use: 'dns' | 'manage' };
  limits: KeyLimits;
  scope: ClientScope;
}

/** The caller with the key of this chain. */
export function clientOfKey({ key, limits, scope, domainIds }: KeyChain): Client {
  const { id, partnerId, partnerRef, partnerStage } = key;
  return {
    kind: 'client',
    partnerId,
    partnerRef,
    partnerStage,
    credential: { kind: 'key', id },
    limits,
    scope,
    domainIds,
  };
}
