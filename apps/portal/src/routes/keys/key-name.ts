import type { ApiKey } from '../../api/shapes.js';

/** What people call a key. Its token is masked, and not every key has a name. */
export function keyName({ id, name }: Pick<ApiKey, 'id' | 'name'>): string {
  return name ?? `key ${id}`;
}
