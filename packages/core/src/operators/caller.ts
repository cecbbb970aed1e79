import type { ApiKey } from '../api-keys/api-key.js';

export const OPERATOR_SCOPES = ['policy', 'billing', 'read'] as const;
export type OperatorScope = (typeof OPERATOR_SCOPES)[number];

/** The caller of a request whose token was accepted. */
export type Caller =
  | { kind: 'master'; name: string }
  | { kind: 'operator'; name: string; scope: OperatorScope }
  | { kind: 'client'; key: ApiKey };
