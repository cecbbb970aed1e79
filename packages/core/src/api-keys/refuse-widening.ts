import { AppError, type FieldError } from '../errors.js';
import type { ApiKey } from './api-key.js';

/**
 * A client may only narrow a key below its own. What its operator took from a key is given back by the operator alone,
 * and nothing tells whose the last word was.
 *
 * @param domainIds the new list
 * @throws AppError validation_failed
 */
export function refuseWidening(
  key: ApiKey,
  { active, expiresAt, scope }: Partial<Pick<ApiKey, 'active' | 'expiresAt' | 'scope'>>,
  domainIds: readonly number[] | null,
): void {
  const errors: FieldError[] = [];
  if (active === true && !key.active)
    errors.push({ field: 'active', message: 'can only be set to true by the operator' });
  if (scope === 'manage' && key.scope === 'read') {
    errors.push({
      field: 'scope',
      message: 'can only be changed to manage by the operator; create another key instead',
    });
  }
  if (expiresAt !== undefined && isLater(expiresAt, key.expiresAt)) {
    errors.push({
      field: 'expires_at',
      message: 'must not be later than the present one; rotate the key or create another one',
    });
  }
  if (!isWithin(domainIds, key.domainIds)) {
    errors.push({ field: 'domains', message: 'must be among the domains of the key; create another key instead' });
  }
  const [first] = errors;
  if (first === undefined) return;
  throw new AppError('validation_failed', { detail: `${first.field}: ${first.message}`, errors });
}

/** Null is never. */
function isLater(time: Date | null, than: Date | null): boolean {
  return than !== null && (time === null || time > than);
}

/** Null is all. */
function isWithin(ids: readonly number[] | null, all: readonly number[] | null): boolean {
  return all === null || (ids !== null && ids.every((id) => all.includes(id)));
}
