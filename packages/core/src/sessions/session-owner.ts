import { AppError } from '../errors.js';
import type { Caller } from '../operators/caller.js';
import type { RequestOwner } from '../partners/partner-scope.js';
import type { SessionOwner } from './session.js';

/** For whom the requests of the caller count. */
export function requestOwnerOf(caller: Caller): RequestOwner {
  return caller.kind === 'client' ? caller.partnerId : 'all';
}

/** Whose sessions the caller opens, lists and ends: those of its key, of its operator token or of its link. */
export function sessionOwnerOf(caller: Caller): SessionOwner {
  if (caller.kind === 'client') return caller.credential;
  if (caller.operatorHash === undefined) throw new AppError('internal_error', { detail: 'A caller without a token' });
  return { kind: 'operator', tokenHash: caller.operatorHash };
}
