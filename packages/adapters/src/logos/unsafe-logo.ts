import { LOGO_MAX_BYTES } from '@mailstead/core/brands/logo';
import { AppError } from '@mailstead/core/errors';

/** @param message what is wrong with the file, as a sentence without a subject and a full stop */
export function unsafeLogo(message: string, cause?: unknown): AppError {
  return new AppError('logo_not_safe', { detail: `logo: ${message}`, errors: [{ field: 'logo', message }], cause });
}

export function tooLargeAnew(cause?: unknown): AppError {
  return unsafeLogo(`must have at most ${LOGO_MAX_BYTES} bytes after it was written anew; make it smaller`, cause);
}
