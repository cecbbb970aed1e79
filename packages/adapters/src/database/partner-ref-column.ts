import type { EntitySchemaColumnOptions } from 'typeorm';

/** The name of a partner; the empty text is the row of "no partner". */
export const refTransformer = {
  from: (value: unknown) => (value === '' ? null : value),
  to: (value: unknown) => value ?? '',
};

/**
 * The property `partnerRef` of a row with a `partner_id`. It is read by a subselect and not by a join, so that a lock on
 * the row does not lock the partner.
 */
export const partnerRef: EntitySchemaColumnOptions = {
  type: 'varchar',
  virtualProperty: true,
  query: (alias) => `SELECT p.ref FROM partner p WHERE p.id = ${alias}.partner_id`,
  transformer: refTransformer,
};
