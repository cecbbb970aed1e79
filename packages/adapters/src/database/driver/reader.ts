import { AppError } from '@mailstead/core/errors';

/** For whom the statements outside a unit of work read, in an asynchronous context. */
export interface Reader {
  /** The partner whose share of the connections they use; null: an operator or the service, without a share. */
  partnerId: number | null;
  /** Whether the caller has closed the connection. */
  isGone: () => boolean;
}

export const THE_SERVICE: Reader = { partnerId: null, isGone: () => false };

/** @throws AppError request_cancelled when nobody waits for the answer any more */
export function refuseGone({ isGone }: Reader): void {
  if (isGone()) throw new AppError('request_cancelled');
}
