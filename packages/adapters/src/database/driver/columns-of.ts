import type { EntitySchemaColumnOptions } from 'typeorm';

/**
 * The columns of an entity's schema: one for each property with data, so that a missing or an unknown one does not compile.
 *
 * @typeParam Derived getters, and properties that are no column of the table
 */
export type ColumnsOf<Entity, Derived extends keyof Entity = never> = {
  [Property in Exclude<keyof Entity, Derived> as Entity[Property] extends (...values: never[]) => unknown
    ? never
    : Property]: EntitySchemaColumnOptions;
};
