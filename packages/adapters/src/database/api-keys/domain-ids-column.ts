import type { EntitySchemaColumnOptions } from 'typeorm';

/**
 * SQL expression: the ids of the domains that a key is limited to, separated by commas; null for a key that is not
 * limited. `MAX_KEY_DOMAINS` bounds the list, because MySQL cuts a longer one (`group_concat_max_len`, 1,024 bytes).
 */
export function domainIdsOf(alias: string): string {
  return `CASE WHEN ${alias}.is_limited = 1 THEN COALESCE(
    (SELECT GROUP_CONCAT(kd.domain_id) FROM api_key_domain kd WHERE kd.key_id = ${alias}.id), '') END`;
}

/** @param list the result of `domainIdsOf` */
export function readDomainIds(list: unknown): number[] | null {
  if (typeof list !== 'string') return null;
  const ids = list === '' ? [] : list.split(',').map(Number);
  return ids.sort((left, right) => left - right);
}

/** The property `domainIds` of a key. Written by its repository. */
export const domainIds: EntitySchemaColumnOptions = {
  type: 'varchar',
  virtualProperty: true,
  query: (alias) => `SELECT ${domainIdsOf(alias)}`,
  transformer: { from: readDomainIds, to: () => null },
};
