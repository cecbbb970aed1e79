import { AppError, type ErrorKind } from '../errors.js';
import type { Actor } from './actor.js';

/** What callers change by PUTs, with the number of the state that they read. */
export interface Revised {
  revision: number;
}

/** Errors that depend on the state, so that a caller who knows a former state must read it first. */
const OF_STATE: ReadonlySet<ErrorKind> = new Set(['invalid', 'forbidden', 'duplicate', 'over_quota', 'conflict']);

/**
 * Raises the revision, because a caller changes what PUTs set; jobs raise none. Call it in the unit of work that has
 * locked the row and saves it, only when something gets another value: what changes nothing is never refused.
 *
 * @throws AppError changed_meanwhile when the caller expects another revision
 */
export function raiseRevision(actor: Actor, row: Revised): void {
  if (actor.kind === 'system') return;
  if (!isExpected(actor, row)) throw changedMeanwhile(row);
  row.revision += 1;
}

/**
 * Does a change of a locked row whose rules may refuse it. A caller who expects another revision hears that first.
 *
 * @throws AppError changed_meanwhile, and the errors of `change`
 */
export async function changeExpected<Result>(
  actor: Actor,
  row: Revised,
  change: () => Promise<Result> | Result,
): Promise<Result> {
  try {
    return await change();
  } catch (error) {
    const isLater = error instanceof AppError && OF_STATE.has(error.kind) && !isExpected(actor, row);
    throw isLater ? changedMeanwhile(row) : error;
  }
}

function isExpected({ expected }: Actor, { revision }: Revised): boolean {
  return expected === undefined || expected.includes(revision);
}

function changedMeanwhile({ revision }: Revised): AppError {
  return new AppError('changed_meanwhile', { members: { revision } });
}
