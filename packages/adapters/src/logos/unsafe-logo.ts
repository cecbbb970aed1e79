import { AppError } from '@mailstead/core/errors';

/** @param message what is wrong with the file, as a sentence without a subject and a full stop */
export function unsafeLogo(message: string, cause?: unknown): AppError {
  return new AppError('logo_not_safe', { detail: `logo: ${message}`, errors: [{ field: 'logo', message }], cause });
}
