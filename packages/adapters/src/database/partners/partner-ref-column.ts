import type { EntitySchemaColumnOptions } from 'typeorm';

/** The name of a partner. The row for "no partner" has the empty text, which reads as null. */
export const refTransformer = {
  from: (value: unknown) => (value === '' ? null : value),
  to: (value: unknown) => value ?? '',
};

/**
 * The property `partnerRef` of a row with a `partner_id`. It is read with a subselect instead of a join, so that a lock
 * of the row does not lock the partner.
 */
export const partnerRef: EntitySchemaColumnOptions = {
  type: 'varchar',
  virtualProperty: true,
  query: (alias) => `SELECT p.ref FROM partner p WHERE p.id = ${alias}.partner_id`,
  transformer: refTransformer,
};

/** The property `partnerStage` of a row with a `partner_id`, read in the same way. */
export const partnerStage: EntitySchemaColumnOptions = {
  type: 'varchar',
  virtualProperty: true,
  query: (alias) => `SELECT p.stage FROM partner p WHERE p.id = ${alias}.partner_id`,
};
