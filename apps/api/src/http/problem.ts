import { STATUS_CODES } from 'node:http';
import { AppError, type ErrorKind } from '@mailstead/core/errors';

const STATUSES: Record<ErrorKind, number> = {
  malformed: 400,
  duplicate: 400,
  unauthenticated: 401,
  forbidden: 403,
  over_quota: 403,
  not_found: 404,
  method_not_allowed: 405,
  timed_out: 408,
  in_progress: 409,
  conflict: 409,
  gone: 410,
  precondition: 412,
  too_large: 413,
  unsupported_media_type: 415,
  expectation_failed: 417,
  invalid: 422,
  too_many: 429,
  headers_too_large: 431,
  internal: 500,
  unavailable: 503,
};

export function statusOf(kind: ErrorKind): number {
  return STATUSES[kind];
}

/** The page that lists the error codes, served by every installation, with an anchor for each. */
const ERROR_CODES_PATH = '/docs/error-codes';

/** Returns the problem details of an error (RFC 9457). */
export function problemOf(error: AppError, requestId: string): Record<string, unknown> {
  const status = STATUSES[error.kind];
  return {
    type: `${ERROR_CODES_PATH}#${error.code}`,
    title: STATUS_CODES[status],
    status,
    detail: error.message,
    code: error.code,
    request_id: requestId,
    ...(error.errors === undefined ? {} : { errors: error.errors }),
    ...error.members,
  };
}

/**
 * Converts an error of Express or of raw-body.
 *
 * @returns null when the error is a defect of this service.
 */
export function appErrorOf(error: unknown): AppError | null {
  if (error instanceof AppError) return error;
  // Express throws URIError for an invalid percent-encoding in the path.
  if (error instanceof Error && error.name === 'URIError') return new AppError('route_not_found', { cause: error });
  const type = typeof error === 'object' && error !== null && 'type' in error ? error.type : undefined;
  switch (type) {
    case 'entity.too.large':
      return new AppError('body_too_large', { cause: error });
    case 'request.aborted':
    case 'request.size.invalid':
    case 'stream.not.readable':
      return new AppError('malformed_request', { cause: error });
    default:
      return null;
  }
}
